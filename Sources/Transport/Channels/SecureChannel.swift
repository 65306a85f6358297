public import LinuxPlatform
public import Vocabulary

/// A secure channel: one TLS 1.3 connection to another machine whose key is known.
///
/// One task may receive while another sends. The work runs on the caller's thread, and the loop only wakes tasks. So a
/// task should run on its channel's loop (by `Task(executorPreference:)` or an actor pinned to it), where waking is
/// cheap.
///
/// A channel is cut when its last reference is released. Use ``close(within:)`` if the last bytes must arrive.
public final class SecureChannel: Sendable {
    /// The id of the other end, which has proven its key.
    public let peerID: PeerID
    /// True if the handshake used a ticket.
    public let isResumed: Bool
    /// The address of the other end; nil for a socket other than IP.
    public var remoteAddress: SocketAddress? { stream.socket.remoteAddress }

    let stream: TLSStream

    /// Takes over a stream after its handshake.
    init(_ stream: TLSStream) throws(ChannelError) {
        guard let known = stream.asking({ ($0.peerID, $0.isResumed) }), let peerID = known.0 else { throw .closed }
        self.stream = stream
        self.peerID = peerID
        isResumed = known.1
    }

    deinit {
        stream.end(.closed)
    }

    /// Counts the channel's bytes from now on, together with those of other channels.
    public func count(in traffic: ChannelTraffic) { stream.count(in: traffic) }

    // MARK: Receiving

    /// Receives up to `limit` bytes, after waiting for the first. An empty result is the other side's clean end. A
    /// connection that breaks throws ``ChannelError/lost(_:)``.
    public nonisolated(nonsending) func receive(upTo limit: Int) async throws(ChannelError) -> [UInt8] {
        precondition(limit > 0, "reading nothing can't be told from the end")
        return try await stream.receive(upTo: limit)
    }

    /// Receives into a buffer, after waiting for the first byte. A result of 0 is the other side's clean end.
    ///
    /// - Parameter room: a buffer that is not empty and that nothing else uses until the call returns
    public nonisolated(nonsending) func receive(
        into room: UnsafeMutableRawBufferPointer
    ) async throws(ChannelError) -> Int {
        precondition(!room.isEmpty, "reading nothing can't be told from the end")
        return try await stream.receive(into: room)
    }

    /// Receives into a buffer that all channels of one thread may share: `body` gets the bytes before anything else can
    /// run on the thread. Returns the number of bytes; 0 is the other side's clean end.
    ///
    /// - Parameter room: a buffer that is not empty; it is not used after the call
    public nonisolated(nonsending) func receive(
        sharing room: UnsafeMutableRawBufferPointer,
        _ body: (UnsafeRawBufferPointer) -> Void
    ) async throws(ChannelError) -> Int {
        precondition(!room.isEmpty, "reading nothing can't be told from the end")
        return try await stream.receive(sharing: room, body)
    }

    // MARK: Sending

    /// Sends the bytes that fit into the socket's buffer, without waiting. Pass the rest to ``send(_:)-([UInt8])``.
    /// Pass it an empty array if all bytes were accepted: it also waits until they are sent.
    ///
    /// - Returns: the number of accepted bytes, and true if all of them are sent
    public func sendAtOnce(_ bytes: UnsafeRawBufferPointer) throws(ChannelError) -> (taken: Int, hasGone: Bool) {
        try stream.sendAtOnce(bytes)
    }

    /// Sends all bytes, and waits while the other side is slow. After a failure it is unknown how many were sent.
    public nonisolated(nonsending) func send(_ bytes: [UInt8]) async throws(ChannelError) {
        try await stream.send(count: bytes.count) { connection, offset in
            bytes.withUnsafeBytes { connection.write(UnsafeRawBufferPointer(rebasing: $0[offset...])) }
        }
    }

    /// Sends all bytes of a buffer that must stay valid until this returns.
    public nonisolated(nonsending) func send(_ bytes: UnsafeRawBufferPointer) async throws(ChannelError) {
        try await stream.send(count: bytes.count) { connection, offset in
            connection.write(UnsafeRawBufferPointer(rebasing: bytes[offset...]))
        }
    }

    /// Sends several small pieces together: in one record and with one call to the kernel.
    public nonisolated(nonsending) func send(_ pieces: [[UInt8]]) async throws(ChannelError) {
        try await send(Array(pieces.joined()))
    }

    /// Ends sending, which the other side receives as a clean end. The other side may continue to send.
    public nonisolated(nonsending) func finishSending() async throws(ChannelError) {
        try await stream.finishSending()
    }

    // MARK: Ending

    /// Closes the channel cleanly: sends the end and waits for the other side's, for at most `limit`. Bytes that were
    /// sent before arrive. If another task is still sending, the channel is cut instead, because a clean end would
    /// claim that its bytes are complete.
    public nonisolated(nonsending) func close(within limit: Duration = .seconds(1)) async {
        await stream.close(within: limit)
    }

    /// Cuts the channel at once without an end, as a broken cable would.
    public func abort() {
        stream.end(.closed)
    }

    // MARK: Secrets

    /// Computes a key from the label and context that only both ends of this channel can compute (RFC 8446, section
    /// 7.5).
    public func exportKey(label: String, context: [UInt8] = [], count: Int) throws(ChannelError) -> [UInt8] {
        guard let key = stream.asking({ $0.exportKey(label: label, context: context, count: count) }) else {
            throw .closed
        }
        return key
    }

    /// A ticket for dialing another channel to the same peer. It exists on the side that dialed, once that has received
    /// something.
    public var ticket: ResumptionTicket? { stream.asking { $0.ticket() } ?? nil }

    // MARK: Threads

    /// The loop that wakes the tasks that wait on the channel.
    public var loop: EventLoop { stream.currentLoop }

    /// Moves the channel's work to another loop. No task may be receiving or sending meanwhile.
    public func move(to loop: EventLoop) {
        stream.move(to: loop)
    }
}
