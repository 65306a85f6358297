import CLinux
import Glibc

/// A socket that accepts connections.
public final class ListeningSocket: Sendable {
    /// The listening address; the port is never 0 here.
    public let address: SocketAddress

    private let descriptor: OwnedDescriptor
    private let signal: ReadinessSignal
    private let loop: EventLoop

    /// - Parameters:
    ///   - address: the listening address; port 0 lets the kernel choose, and the unspecified IPv6 address includes
    ///     IPv4
    ///   - backlog: how many connections the kernel keeps waiting
    ///   - loop: the loop whose thread reports new connections
    public init(on address: SocketAddress, backlog: CInt = 128, loop: EventLoop) throws(SystemError) {
        let descriptor = try Sockets.open(address.family)
        let number = descriptor.number
        try Sockets.set(SO_REUSEADDR, of: SOL_SOCKET, on: number)
        self.address = try Sockets.bind(number, to: address)
        try retrying("listen", on: address.description) { listen(number, backlog) }
        self.loop = loop
        signal = try ReadinessSignal(number, on: loop)
        self.descriptor = descriptor
    }

    deinit {
        signal.end()
    }

    /// Waits for the next connection. It skips a caller that gave up before it was accepted.
    public nonisolated(nonsending) func accept() async throws -> StreamSocket {
        while true {
            signal.expect(.readable)
            if let accepted = try acceptIfWaiting() { return accepted }
            try await signal.wait(for: .readable)
        }
    }

    private func acceptIfWaiting() throws(SystemError) -> StreamSocket? {
        let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let number = try retryingUnlessBlocked("accept4") {
            var number: CInt
            repeat {
                number = accept4(descriptor.number, nil, nil, flags)
            } while number < 0 && (errno == ECONNABORTED || errno == EPROTO)
            return number
        }
        guard let number else { return nil }
        let accepted = OwnedDescriptor(takingOwnershipOf: number)
        try Sockets.sendSmallMessagesAtOnce(number)
        try Sockets.noticeVanishedMachines(number)
        return try StreamSocket(accepted, on: loop)
    }
}
