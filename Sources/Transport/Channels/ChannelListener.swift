import Glibc
public import LinuxPlatform

/// A listener for other machines' connections. It survives failures of single connections and a shortage of
/// descriptors.
public final class ChannelListener: Sendable {
    /// The port it listens on, never 0.
    public var port: UInt16 { socket.address.port }
    /// The address it listens on.
    public var address: SocketAddress { socket.address }

    private let socket: ListeningSocket
    private let loop: EventLoop

    /// The time to wait until other work releases descriptors or memory.
    private static let pause = Duration.milliseconds(250)

    /// Listens on one address.
    public init(on address: SocketAddress, loop: EventLoop) throws(SystemError) {
        socket = try ListeningSocket(on: address, loop: loop)
        self.loop = loop
    }

    /// Listens on all addresses of this machine: IPv6 and IPv4, or IPv4 alone if the machine has no IPv6.
    ///
    /// - Parameter port: 0 lets the kernel choose
    public static func everywhere(port: UInt16, loop: EventLoop) throws(SystemError) -> ChannelListener {
        do throws(SystemError) {
            return try ChannelListener(on: SocketAddress(.v6(high: 0, low: 0, interface: 0), port: port), loop: loop)
        } catch {
            guard error.number == EAFNOSUPPORT || error.number == EADDRNOTAVAIL else { throw error }
        }
        return try ChannelListener(on: SocketAddress(.v4(0, 0, 0, 0), port: port), loop: loop)
    }

    /// Waits for the next connection, which is for ``SecureChannel/accept(_:as:within:on:)``.
    ///
    /// Throws `CancellationError`, or an error after which the listener can accept no further connection.
    public nonisolated(nonsending) func accept() async throws -> StreamSocket {
        while true {
            if let accepted = try await acceptUnlessShort() { return accepted }
            try await loop.sleep(for: Self.pause)
        }
    }

    /// Accepts a connection; nil during a shortage.
    private nonisolated(nonsending) func acceptUnlessShort() async throws -> StreamSocket? {
        do {
            return try await socket.accept()
        } catch let error as SystemError {
            guard Self.passing.contains(error.number) else { throw error }
            return nil
        }
    }

    /// Errors that pass: shortages, and networks that fail while a connection waits to be accepted (accept(2)).
    private static let passing: Set<CInt> = [
        EMFILE, ENFILE, ENOBUFS, ENOMEM, ENETDOWN, EPROTO, ENOPROTOOPT, EHOSTDOWN, EHOSTUNREACH, ENETUNREACH, EPERM,
        EOPNOTSUPP,
    ]
}
