import CLinux
import Glibc

/// The single steps of receiving and sending, for code that puts something between the bytes and their reader: TLS.
///
/// The order that loses no wake-up is: ``expect(_:)``, the step, and only where it answered nil, ``wait(for:since:)``.
extension StreamSocket {
    /// What a socket had come to when a step on it began.
    public struct Mark: Sendable {
        fileprivate let count: UInt64
        // The wait belongs to the loop that the expectation was made on.
        fileprivate let signal: ReadinessSignal
    }

    /// Whatever happens from now on will end a wait with this mark.
    public func expect(_ interest: EventLoop.Interest) -> Mark {
        let signal = signal
        return Mark(count: signal.expect(interest), signal: signal)
    }

    /// Suspends until something has happened since the mark.
    public nonisolated(nonsending) func wait(for interest: EventLoop.Interest, since mark: Mark) async throws {
        try await mark.signal.wait(for: interest, since: mark.count)
    }

    /// Ends the waits of all tasks, so that each looks again at what it waits for.
    public func wakeAll() {
        signal.wake()
    }

    /// Whether a step of receiving would find something, be it the end.
    public func hasSomethingToRead() throws(SystemError) -> Bool {
        var byte: UInt8 = 0
        return try retryingUnlessBlocked("recv") { recv(descriptor.number, &byte, 1, CInt(MSG_PEEK)) } != nil
    }

    /// Reads what is there; 0 is the end, nil means that nothing is there yet. Once a read has taken everything, the kernel is asked again
    /// only after the loop has noted something: else every message would cost a call in vain.
    public func receiveIfReady(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        let signal = signal
        guard let mark = signal.beginReading() else { return nil }
        let count = try retryingUnlessBlocked("recv") { recv(descriptor.number, room.baseAddress, room.count, 0) }
        if Self.wasAll(count, of: room.count) { signal.noteEmptied(mark) }
        return count
    }

    /// Whether nothing is left before the loop notes that more has come: the kernel had less than there was room for. Where much comes, more has mostly
    /// come meanwhile, and to ask costs less than to wait.
    private static func wasAll(_ count: Int?, of room: Int) -> Bool {
        guard let count else { return true }
        return count > 0 && count < min(room, muchCount)
    }

    private static let muchCount = 4 << 10

    /// Writes what there is room for; nil means that there is none.
    public func sendIfReady(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        try retryingUnlessBlocked("send") {
            Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        }
    }

    /// Ends both directions at once, without a word beyond TCP's own. What waits on it is woken.
    public func cut() {
        // A connection that has gone already has nothing left to cut.
        _ = shutdown(descriptor.number, CInt(SHUT_RDWR))
        wakeAll()
    }
}
