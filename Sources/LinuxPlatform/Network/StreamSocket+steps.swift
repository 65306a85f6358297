import CLinux
import Glibc

/// The single steps of receiving and sending, for a layer between the bytes and their reader: TLS.
///
/// The order that loses no wake-up: ``expect(_:)``, the step, and only if that returned nil, ``wait(for:since:)``.
extension StreamSocket {
    /// The readiness count of a socket when a step on it began.
    public struct Mark: Sendable {
        fileprivate let count: UInt64
        // The wait belongs to the loop on which the expectation was made.
        fileprivate let signal: ReadinessSignal
    }

    /// Sets a mark: everything that happens from now on ends a wait with it.
    public func expect(_ interest: EventLoop.Interest) -> Mark {
        let signal = signal
        return Mark(count: signal.expect(interest), signal: signal)
    }

    /// Suspends until something has happened since the mark.
    public nonisolated(nonsending) func wait(for interest: EventLoop.Interest, since mark: Mark) async throws {
        try await mark.signal.wait(for: interest, since: mark.count)
    }

    /// Ends the waits of all tasks, so that each checks its condition again.
    public func wakeAll() {
        signal.wake()
    }

    /// True if a receiving step would find something, even the end.
    public func hasSomethingToRead() throws(SystemError) -> Bool {
        var byte: UInt8 = 0
        return try retryingUnlessBlocked("recv") { recv(descriptor.number, &byte, 1, CInt(MSG_PEEK)) } != nil
    }

    /// Reads the bytes that have arrived; 0 is the end, nil means that nothing has arrived yet. Once a read has emptied
    /// the socket, this asks the kernel again only after the loop has noted more: otherwise every message would cost a
    /// call in vain.
    public func receiveIfReady(into room: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int? {
        let signal = signal
        guard let mark = signal.beginReading() else { return nil }
        let count = try retryingUnlessBlocked("recv") { recv(descriptor.number, room.baseAddress, room.count, 0) }
        if Self.wasAll(count, of: room.count) { signal.noteEmptied(mark) }
        return count
    }

    /// True if the read emptied the socket: the kernel had less than the room for it. After a large read more has
    /// mostly arrived meanwhile, and another call costs less than a wait.
    private static func wasAll(_ count: Int?, of room: Int) -> Bool {
        guard let count else { return true }
        return count > 0 && count < min(room, muchCount)
    }

    private static let muchCount = 4 << 10

    /// Writes as much as fits; nil means that there is no room.
    public func sendIfReady(_ bytes: UnsafeRawBufferPointer) throws(SystemError) -> Int? {
        try retryingUnlessBlocked("send") {
            Glibc.send(descriptor.number, bytes.baseAddress, bytes.count, CInt(MSG_NOSIGNAL))
        }
    }

    /// Cuts both directions at once, with nothing sent beyond TCP's own end. Waiting tasks wake up.
    public func cut() {
        // A connection that has already gone needs no cut.
        _ = shutdown(descriptor.number, CInt(SHUT_RDWR))
        wakeAll()
    }
}
