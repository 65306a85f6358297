public import LinuxPlatform
public import Vocabulary

/// One TLS 1.3 connection to another machine whose key is known.
///
/// One task may receive while another sends. A lane's work is done on the thread of whoever asks; its loop only wakes them,
/// so a task belongs on its lane's loop (by `Task(executorPreference:)` or an actor pinned to it), where waking is cheap.
///
/// A lane that nobody holds any more is cut. End one with ``close(within:)`` where the last bytes matter.
public final class Lane: Sendable {
    /// Who is at the other end, proven.
    public let peerID: PeerID
    /// Whether it began upon a ticket.
    public let isResumed: Bool
    /// Where the other end is; nil for a socket that is not of IP.
    public var remoteAddress: SocketAddress? { stream.socket.remoteAddress }

    let stream: LaneStream

    /// Takes over a stream that has been through its handshake.
    init(_ stream: LaneStream) throws(LaneError) {
        guard let known = stream.asking({ ($0.peerID, $0.isResumed) }), let peerID = known.0 else { throw .closed }
        self.stream = stream
        self.peerID = peerID
        isResumed = known.1
    }

    deinit {
        stream.end(.closed)
    }

    /// Counts what goes over it from now on, together with that of others.
    public func count(in traffic: LaneTraffic) { stream.count(in: traffic) }

    // MARK: Receiving

    /// Receives up to `limit` bytes, waiting for the first. An empty answer is the other side's clean end; a connection that
    /// ends without one throws ``LaneError/lost(_:)``.
    public nonisolated(nonsending) func receive(upTo limit: Int) async throws(LaneError) -> [UInt8] {
        precondition(limit > 0, "reading nothing can't be told from the end")
        return try await stream.receive(upTo: limit)
    }

    /// Receives into the room, waiting for the first byte. 0 is the other side's clean end.
    ///
    /// - Parameter room: not empty, and the caller's until the answer
    public nonisolated(nonsending) func receive(
        into room: UnsafeMutableRawBufferPointer
    ) async throws(LaneError) -> Int {
        precondition(!room.isEmpty, "reading nothing can't be told from the end")
        return try await stream.receive(into: room)
    }

    /// Receives into a room that all lanes of one thread may share: what came is handed out before anything else can run
    /// there. Answers how much it was; 0 is the other side's clean end.
    ///
    /// - Parameter room: not empty; nothing of it is kept
    public nonisolated(nonsending) func receive(
        sharing room: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) async throws(LaneError) -> Int {
        precondition(!room.isEmpty, "reading nothing can't be told from the end")
        return try await stream.receive(sharing: room, body)
    }

    // MARK: Sending

    /// Sends what there is room for, without waiting. The rest, or nothing where all has been taken, is for
    /// ``send(_:)-([UInt8])``, which also waits until what was taken has gone.
    ///
    /// - Returns: how much was taken, and whether all of that has gone
    public func sendAtOnce(_ bytes: UnsafeRawBufferPointer) throws(LaneError) -> (taken: Int, hasGone: Bool) {
        try stream.sendAtOnce(bytes)
    }

    /// Sends everything, waiting whenever the other side is slow. After a failure nobody knows how much of it has gone.
    public nonisolated(nonsending) func send(_ bytes: [UInt8]) async throws(LaneError) {
        try await stream.send(count: bytes.count) { connection, offset in
            bytes.withUnsafeBytes { connection.write(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        }
    }

    /// The same for bytes that are the caller's until this returns.
    public nonisolated(nonsending) func send(_ bytes: UnsafeRawBufferPointer) async throws(LaneError) {
        try await stream.send(count: bytes.count) { connection, offset in
            connection.write(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        }
    }

    /// Sends several small pieces as one: one record, one call to the kernel.
    public nonisolated(nonsending) func send(_ pieces: [[UInt8]]) async throws(LaneError) {
        try await send(Array(pieces.joined()))
    }

    /// Says that nothing more will be sent, which the other side receives as a clean end. It may go on sending.
    public nonisolated(nonsending) func finishSending() async throws(LaneError) {
        try await stream.finishSending()
    }

    // MARK: Ending

    /// Ends the lane in order: says goodbye and waits until the other side has too, at most for `limit`. What was sent before
    /// arrives, unless somebody else is still sending: then it is cut, for the goodbye would not be true.
    public nonisolated(nonsending) func close(within limit: Duration = .seconds(1)) async {
        await stream.close(within: limit)
    }

    /// Ends the lane at once and without a word, as a cut cable would.
    public func abort() {
        stream.end(.closed)
    }

    // MARK: Secrets

    /// A key that both ends of this lane, and nobody else, compute from the label and context (RFC 8446, section 7.5).
    public func exportKey(label: String, context: [UInt8] = [], count: Int) throws(LaneError) -> [UInt8] {
        guard let key = stream.asking({ $0.exportKey(label: label, context: context, count: count) }) else {
            throw .closed
        }
        return key
    }

    /// What a further lane to the same peer can be dialled with: on the side that dialled, once something has been received.
    public var ticket: LaneTicket? { stream.asking { $0.ticket() } ?? nil }

    // MARK: Threads

    /// The loop that wakes those who wait on the lane.
    public var loop: EventLoop { stream.currentLoop }

    /// Lets another loop do that from now on. No task may be receiving or sending meanwhile.
    public func move(to loop: EventLoop) {
        stream.move(to: loop)
    }
}
