import Glibc
public import LinuxPlatform
public import Vocabulary

extension SecureChannel {
    /// Connects to a machine and performs the handshake.
    ///
    /// The other side may still refuse this one: the first ``receive(upTo:)`` throws then.
    ///
    /// - Parameters:
    ///   - address: the address on which the other machine listens
    ///   - identity: this machine's identity, which is shown only to the expected peer
    ///   - peerID: the expected peer; with nil any peer is accepted, and ``peerID`` names it
    ///   - ticket: a ticket that shortens the handshake; one of another peer is ignored
    ///   - limit: the time for the connection and the handshake together
    ///   - loop: the loop that wakes the tasks that wait on the channel
    public nonisolated(nonsending) static func dial(
        to address: SocketAddress,
        as identity: Identity,
        expecting peerID: PeerID?,
        resuming ticket: ResumptionTicket? = nil,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(ChannelError) -> SecureChannel {
        let deadline = ContinuousClock.now + limit
        let socket = try await connect(to: address, within: limit, on: loop)
        let rest = deadline - .now
        return try await dial(over: socket, as: identity, expecting: peerID, resuming: ticket, within: rest, on: loop)
    }

    /// Performs the handshake over a connection that exists already.
    public nonisolated(nonsending) static func dial(
        over socket: StreamSocket,
        as identity: Identity,
        expecting peerID: PeerID?,
        resuming ticket: ResumptionTicket? = nil,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(ChannelError) -> SecureChannel {
        let isRight = peerID == nil || ticket?.peerID == peerID
        return try await begin(
            socket,
            identity.dialling,
            expecting: peerID,
            resuming: isRight ? ticket : nil,
            within: limit,
            on: loop
        )
    }

    /// Answers a connection that another machine has dialed. Any machine with a key is accepted: the caller decides
    /// which peer is welcome.
    ///
    /// - Parameters:
    ///   - socket: a connection from ``ChannelListener/accept()``
    ///   - identity: this machine's identity
    ///   - limit: the time for the whole handshake
    ///   - loop: the loop of the socket, which wakes the tasks that wait on the channel
    public nonisolated(nonsending) static func accept(
        _ socket: StreamSocket,
        as identity: Identity,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(ChannelError) -> SecureChannel {
        try await begin(socket, identity.answering, expecting: nil, resuming: nil, within: limit, on: loop)
    }

    nonisolated(nonsending) static func begin(
        _ socket: StreamSocket,
        _ context: TLSContext,
        expecting peerID: PeerID?,
        resuming ticket: ResumptionTicket?,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(ChannelError) -> SecureChannel {
        let stream = TLSStream(socket, on: loop)
        let timer = loop.schedule(after: limit) { @Sendable in stream.end(.timedOut) }
        defer { timer.cancel() }
        do throws(ChannelError) {
            try await stream.begin(context, expecting: peerID, resuming: ticket)
            return try SecureChannel(stream)
        } catch {
            stream.end(error)
            throw error
        }
    }

    nonisolated(nonsending) static func connect(
        to address: SocketAddress,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(ChannelError) -> StreamSocket {
        do {
            return try await StreamSocket.connect(to: address, within: limit, on: loop)
        } catch let error as SystemError {
            throw error.number == ETIMEDOUT ? .timedOut : .unreachable(address, error)
        } catch {
            throw .cancelled
        }
    }
}
