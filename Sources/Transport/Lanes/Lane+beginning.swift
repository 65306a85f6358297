import Glibc
public import LinuxPlatform
public import Vocabulary

extension Lane {
    /// Connects to a machine and makes the handshake.
    ///
    /// The other side may still refuse this one: that shows at the first ``receive(upTo:)``.
    ///
    /// - Parameters:
    ///   - address: where it listens
    ///   - identity: who we are; shown only to who was expected
    ///   - peerID: who has to be there; nil takes everybody, and ``peerID`` then says who it is
    ///   - ticket: makes the handshake short; one of somebody else's is left unused
    ///   - limit: for the connection and the handshake together
    ///   - loop: the loop that wakes those who wait on the lane
    public nonisolated(nonsending) static func dial(
        to address: SocketAddress,
        as identity: Identity,
        expecting peerID: PeerID?,
        resuming ticket: LaneTicket? = nil,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(LaneError) -> Lane {
        let deadline = ContinuousClock.now + limit
        let socket = try await connect(to: address, within: limit, on: loop)
        let rest = deadline - .now
        return try await dial(over: socket, as: identity, expecting: peerID, resuming: ticket, within: rest, on: loop)
    }

    /// The same over a connection that is there already.
    public nonisolated(nonsending) static func dial(
        over socket: StreamSocket,
        as identity: Identity,
        expecting peerID: PeerID?,
        resuming ticket: LaneTicket? = nil,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(LaneError) -> Lane {
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

    /// Answers a connection that somebody has dialled. Everybody with a key of their own is let through: who it is, and whether
    /// that is welcome, is for the caller to say.
    ///
    /// - Parameters:
    ///   - socket: as ``LaneListener/accept()`` gives it
    ///   - identity: who we are
    ///   - limit: for the whole handshake, from now on
    ///   - loop: the loop of the socket, which wakes those who wait on the lane
    public nonisolated(nonsending) static func accept(
        _ socket: StreamSocket,
        as identity: Identity,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(LaneError) -> Lane {
        try await begin(socket, identity.answering, expecting: nil, resuming: nil, within: limit, on: loop)
    }

    private nonisolated(nonsending) static func begin(
        _ socket: StreamSocket,
        _ context: LaneContext,
        expecting peerID: PeerID?,
        resuming ticket: LaneTicket?,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(LaneError) -> Lane {
        let stream = LaneStream(socket, on: loop)
        let timer = loop.schedule(after: limit) { @Sendable in stream.end(.timedOut) }
        defer { timer.cancel() }
        do throws(LaneError) {
            try await stream.begin(context, expecting: peerID, resuming: ticket)
            return try Lane(stream)
        } catch {
            stream.end(error)
            throw error
        }
    }

    private nonisolated(nonsending) static func connect(
        to address: SocketAddress,
        within limit: Duration,
        on loop: EventLoop
    ) async throws(LaneError) -> StreamSocket {
        do {
            return try await StreamSocket.connect(to: address, within: limit, on: loop)
        } catch let error as SystemError {
            throw error.number == ETIMEDOUT ? .timedOut : .unreachable(address, error)
        } catch {
            throw .cancelled
        }
    }
}
