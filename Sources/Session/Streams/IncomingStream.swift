package import LinuxPlatform
import Transport
public import Vocabulary
import Wire

/// A named stream of bytes from one peer. Unread bytes wait at the peer.
public final class IncomingStream: Sendable {
    /// The writer.
    public let peer: PeerID
    /// The name. The peer can choose any.
    public let name: Label
    private let channel: DataChannel

    /// The loop of the stream. Blocking calls belong there, too, so that they need no thread of their own.
    package var loop: EventLoop { channel.loop }

    init(from peer: PeerID, named name: Label, over channel: DataChannel) {
        self.peer = peer
        self.name = name
        self.channel = channel
    }

    deinit {
        channel.abort()
    }

    /// The next bytes, at least one; nil at the clean end.
    ///
    /// - Throws: if the connection broke, or the writer aborted: then bytes are missing
    public func read() async throws -> [UInt8]? {
        if let bytes = try await readUnacknowledged() { return bytes }
        await acknowledge()
        return nil
    }

    /// The next bytes as with ``read()``, but at the end the writer waits until ``acknowledge()``.
    public func readUnacknowledged() async throws -> [UInt8]? {
        switch try await next() {
        case .data(let bytes): return Array(bytes)
        case .end: return nil
        case .abort(let abort): throw SessionError(abort.reason)
        case nil: throw SessionError(.lost)
        default: throw SessionError(.brokeProtocol)
        }
    }

    /// Confirms to the writer, after the end was read, that all bytes are stored.
    public func acknowledge() async {
        try? await channel.send(.end)
        await channel.close()
    }

    private func next() async throws -> ChannelFrame? {
        do {
            return try await channel.next()
        } catch ChannelError.closed {
            // The peer has left the session, and this side has cut its streams.
            throw SessionError(.lost)
        }
    }

    /// Ends the stream before its regular end.
    ///
    /// - Parameter remark: the explanation for the user of the writer
    public func abort(because reason: PartingReason = .declined, saying remark: String = "") async {
        await channel.end(saying: .abort(.init(reason: reason, message: Remark(remark))))
    }
}
