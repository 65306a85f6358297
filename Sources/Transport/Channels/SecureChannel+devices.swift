public import LinuxPlatform
public import Vocabulary

extension SecureChannel {
    /// Connects to a device of Syncthing and performs the handshake. ``peerID`` is then the SHA-256 of its certificate.
    ///
    /// - Parameters:
    ///   - address: the address on which the device listens
    ///   - identity: this machine's identity for such devices
    ///   - certificateID: the SHA-256 of the certificate that the device must have
    ///   - limit: the time for the connection and the handshake together
    ///   - loop: the loop that wakes the tasks that wait on the channel
    public nonisolated(nonsending) static func dial(
        to address: SocketAddress,
        as identity: DeviceIdentity,
        expecting certificateID: PeerID,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(ChannelError) -> SecureChannel {
        let deadline = ContinuousClock.now + limit
        let socket = try await connect(to: address, within: limit, on: loop)
        return try await begin(
            socket,
            identity.dialling,
            expecting: certificateID,
            resuming: nil,
            within: deadline - .now,
            on: loop
        )
    }

    /// Answers a connection that a device of Syncthing has dialed. Any device with a key is accepted: the caller
    /// decides which is welcome.
    public nonisolated(nonsending) static func accept(
        _ socket: StreamSocket,
        as identity: DeviceIdentity,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(ChannelError) -> SecureChannel {
        try await begin(socket, identity.answering, expecting: nil, resuming: nil, within: limit, on: loop)
    }
}
