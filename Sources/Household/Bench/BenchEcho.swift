import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Answers peers that measure the speed to this machine: sends back the bytes that they want back, and discards the
/// rest. It serves only peers that are accepted without a question, for a few seconds, and few at once.
@Engine
final class BenchEcho: SessionHandler {
    /// The purpose of a message, in its first byte; the rest is filler.
    enum Word {
        /// The answering machine says that the measurement may begin.
        static let ready: UInt8 = 0
        /// The receiver sends the message back as it is.
        static let echo: UInt8 = 1
        /// The receiver discards the message.
        static let forget: UInt8 = 2
    }

    nonisolated static let purpose = Array("huddle-bench/1".utf8)
    /// The longest message that is sent back.
    static let longestEcho = 1024
    private static let mostAtOnce = 2
    private static let mostMessages = 4_000_000
    private static let mostBytes: UInt64 = 64 << 30
    private static let patience = Duration.seconds(20)

    private let node: Node
    private var measuring: Set<PeerID> = []

    init(_ node: Node) { self.node = node }

    nonisolated var context: [UInt8] { Self.purpose }

    func reaches(_ peer: PeerID) {}

    func loses(_ peer: PeerID) {}

    func take(_ session: Session, from peer: PeerID) async {
        defer { session.leave() }
        guard let known = try? await node.ledger.peer(peer), known.isPinned, measuring.count < Self.mostAtOnce,
            measuring.insert(peer).inserted
        else { return }
        defer { measuring.remove(peer) }
        // If a peer has gone, or wants too much, its session is left.
        try? await EventLoop.shared.withDeadline(Self.patience, "bench") { [self] in
            try await answer(peer, in: session)
        }
    }

    private func answer(_ peer: PeerID, in session: Session) async throws {
        try await session.send([Word.ready], to: [peer])
        var messages = 0
        while let event = await session.events.next() {
            switch event {
            case .message(let message):
                messages += 1
                guard messages <= Self.mostMessages else { return }
                guard message.bytes.first == Word.echo, message.bytes.count <= Self.longestEcho else { continue }
                try await session.send(message.bytes, to: [peer])
            case .stream(let stream): try await forget(stream)
            case .resource(let resource): resource.refuse()
            case .departed: return
            case .joined, .away, .returned: continue
            }
        }
    }

    private func forget(_ stream: IncomingStream) async throws {
        var count: UInt64 = 0
        while let bytes = try await stream.read() {
            count += UInt64(bytes.count)
            if count > Self.mostBytes { return await stream.abort(because: .full) }
        }
    }
}
