import CLinux
import Glibc
import Synchronization

/// A connected stream socket that never blocks: reading and writing suspend until the other side is ready.
///
/// One task may read while another writes.
public final class StreamSocket: Sendable {
    /// The address of the other end; nil for a socket that is not of IP.
    public let remoteAddress: SocketAddress?

    /// The address of this end; nil for a socket that is not of IP.
    public var localAddress: SocketAddress? { try? Sockets.localAddress(of: descriptor.number) }

    let descriptor: OwnedDescriptor
    private let currentSignal: Mutex<ReadinessSignal>

    /// - Parameters:
    ///   - descriptor: a connected or connecting socket, already non-blocking
    ///   - loop: the loop whose thread reports readiness
    public init(_ descriptor: consuming OwnedDescriptor, on loop: EventLoop) throws(SystemError) {
        remoteAddress = Sockets.remoteAddress(of: descriptor.number)
        currentSignal = Mutex(try ReadinessSignal(descriptor.number, on: loop))
        self.descriptor = descriptor
    }

    /// Creates a socket for a connection attempt, before there is another end.
    private init(
        connecting descriptor: consuming OwnedDescriptor,
        to address: SocketAddress,
        on loop: EventLoop
    ) throws(SystemError) {
        remoteAddress = address
        currentSignal = Mutex(try ReadinessSignal(descriptor.number, on: loop))
        self.descriptor = descriptor
    }

    deinit {
        signal.end()
    }

    var signal: ReadinessSignal { currentSignal.withLock { $0 } }

    /// Moves readiness to another loop. No task may be waiting on the socket meanwhile. If that loop can't watch it,
    /// the first one continues.
    public func move(to loop: EventLoop) {
        currentSignal.withLock { signal in
            guard let next = try? ReadinessSignal(descriptor.number, on: loop) else { return }
            signal.end()
            signal = next
        }
    }

    /// Connects within `limit`.
    ///
    /// - Throws: `SystemError` with `ETIMEDOUT` when the limit passes, or the network's error.
    public nonisolated(nonsending) static func connect(
        to address: SocketAddress,
        within limit: Duration,
        on loop: EventLoop
    ) async throws -> StreamSocket {
        let descriptor = try Sockets.open(address.family)
        let number = descriptor.number
        let isConnected = try address.withRaw { raw, length throws(SystemError) in
            try retryingUnlessBlocked("connect") { Glibc.connect(number, raw, length) } != nil
        }
        let socket = try StreamSocket(connecting: descriptor, to: address, on: loop)
        if !isConnected {
            try await loop.withDeadline(limit, "connect") { try await socket.signal.wait(for: .writable) }
            try Sockets.throwPendingError(of: number, "connect")
        }
        try Sockets.sendSmallMessagesAtOnce(number)
        try Sockets.noticeVanishedMachines(number)
        return socket
    }

    /// Reads up to `limit` bytes, waiting for the first. An empty result is the other side's clean end.
    public nonisolated(nonsending) func receive(upTo limit: Int) async throws -> [UInt8] {
        precondition(limit > 0, "reading nothing can't be told from the end")
        let signal = signal
        while true {
            signal.expect(.readable)
            if let bytes = try receiveIfReady(upTo: limit) { return bytes }
            try await signal.wait(for: .readable)
        }
    }

    private func receiveIfReady(upTo limit: Int) throws -> [UInt8]? {
        var wouldBlock = false
        // because the kernel fills the bytes, and only as many count as it says it filled
        let bytes = try [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let received = try retryingUnlessBlocked("recv") { recv(descriptor.number, buffer.baseAddress, limit, 0) }
            wouldBlock = received == nil
            count = received ?? 0
        }
        return wouldBlock ? nil : bytes
    }

    /// Writes everything, waiting whenever the other side is slow.
    public nonisolated(nonsending) func send(_ bytes: [UInt8]) async throws {
        let signal = signal
        var rest = bytes[...]
        while !rest.isEmpty {
            signal.expect(.writable)
            if let count = try sendWhatFits(rest) {
                rest = rest.dropFirst(count)
            } else {
                try await signal.wait(for: .writable)
            }
        }
    }

    private func sendWhatFits(_ bytes: ArraySlice<UInt8>) throws(SystemError) -> Int? {
        try retryingUnlessBlocked("send") {
            bytes.withUnsafeBytes { Glibc.send(descriptor.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
        }
    }

    /// Ends the connection both ways at once. Tasks that wait on it continue.
    public func shutDown() {
        // A connection that is already gone needs no end.
        _ = shutdown(descriptor.number, CInt(SHUT_RDWR))
    }

    /// Ends sending; the other side may still send.
    public func finishSending() throws {
        try retrying("shutdown") { shutdown(descriptor.number, CInt(SHUT_WR)) }
    }
}
