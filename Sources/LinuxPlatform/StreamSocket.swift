import CLinux
import Glibc
import Synchronization

/// A connected stream socket that never blocks: reading and writing suspend until the other side is ready.
///
/// One task may read while another writes.
public final class StreamSocket: Sendable {
    private let descriptor: OwnedDescriptor
    private let signal: ReadinessSignal

    /// - Parameters:
    ///   - descriptor: a connected or connecting socket, already set not to block
    ///   - loop: the loop whose thread tells when it is ready
    public init(_ descriptor: consuming OwnedDescriptor, on loop: EventLoop) {
        signal = ReadinessSignal(descriptor.number, on: loop)
        self.descriptor = descriptor
    }

    deinit {
        signal.end()
    }

    /// Connects, within `limit`.
    ///
    /// - Throws: `SystemError` with `ETIMEDOUT` when the limit passes, or what the network said.
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
        let socket = StreamSocket(descriptor, on: loop)
        if !isConnected {
            try await loop.withDeadline(limit, "connect") { try await socket.signal.wait(for: .writable) }
            try Sockets.throwPendingError(of: number, "connect")
        }
        try Sockets.sendSmallMessagesAtOnce(number)
        return socket
    }

    /// Reads up to `limit` bytes, waiting for the first. An empty answer is the other side's clean end.
    public nonisolated(nonsending) func receive(upTo limit: Int) async throws -> [UInt8] {
        precondition(limit > 0, "reading nothing can't be told from the end")
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

    /// Says that nothing more will be sent; the other side may go on.
    public func finishSending() throws {
        try retrying("shutdown") { shutdown(descriptor.number, CInt(SHUT_WR)) }
    }
}
