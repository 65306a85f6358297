package import LinuxPlatform
import Transport
public import Vocabulary
import Wire

/// A named stream of bytes from one peer. What is not read waits over there.
public final class IncomingStream: Sendable {
    /// Who writes it.
    public let peer: PeerID
    /// What it is called. It is the peer's word.
    public let name: Label
    private let channel: LaneChannel

    /// On whose thread it is worked on: calls that may block belong there too, so that they need no thread of their own.
    package var loop: EventLoop { channel.loop }

    init(from peer: PeerID, named name: Label, over channel: LaneChannel) {
        self.peer = peer
        self.name = name
        self.channel = channel
    }

    deinit {
        channel.abort()
    }

    /// The next bytes, at least one; nil at the clean end.
    ///
    /// - Throws: where the connection broke, or the writer gave up: then bytes are missing
    public func read() async throws -> [UInt8]? {
        if let bytes = try await readUnacknowledged() { return bytes }
        await acknowledge()
        return nil
    }

    /// The same, but at its end the writer goes on waiting until ``acknowledge()`` tells it that all of it is in good hands.
    public func readUnacknowledged() async throws -> [UInt8]? {
        switch try await next() {
        case .data(let bytes): return Array(bytes)
        case .end: return nil
        case .abort(let abort): throw SessionError(abort.reason)
        case nil: throw SessionError(.lost)
        default: throw SessionError(.brokeProtocol)
        }
    }

    /// Tells the writer, once the end was read, that all of it is where it belongs.
    public func acknowledge() async {
        try? await channel.send(.end)
        await channel.close()
    }

    private func next() async throws -> LaneFrame? {
        do {
            return try await channel.next()
        } catch LaneError.closed {
            // The peer is not in the session any more, and its streams were cut on this side.
            throw SessionError(.lost)
        }
    }

    /// Wants no more of it: the writer is told.
    ///
    /// - Parameter remark: what a person over there should know about it
    public func abort(because reason: PartingReason = .declined, saying remark: String = "") async {
        await channel.end(saying: .abort(.init(reason: reason, message: Remark(remark))))
    }
}
