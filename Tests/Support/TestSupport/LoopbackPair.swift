public import LinuxPlatform

/// Two ends of one TCP connection on this machine.
public struct LoopbackPair: Sendable {
    /// The end that connected.
    public let client: StreamSocket
    /// The end that accepted.
    public let server: StreamSocket

    /// Connects a pair over `127.0.0.1` or `::1`.
    public init(over address: IPAddress = .v4(127, 0, 0, 1), on loop: EventLoop) async throws {
        let listener = try ListeningSocket(on: SocketAddress(address, port: 0), loop: loop)
        async let accepted = listener.accept()
        client = try await StreamSocket.connect(to: listener.address, within: .seconds(20), on: loop)
        server = try await accepted
    }
}
