import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// Is there for others: lets them in by policy or asks, and takes what they send.
@Engine
final class Inbox {
    /// Where streams go.
    enum Streams {
        case files
        /// One after the other, to standard output.
        case output(Console)
    }

    let node: Node
    let report: SessionReport
    let folder: InboxFolder
    let streams: Streams
    let width: Int
    private let asks: Bool
    private let doorkeeper: Doorkeeper
    private var lastNumber = 0

    init(
        _ node: Node,
        _ report: SessionReport,
        _ folder: InboxFolder,
        streams: Streams,
        asks: Bool,
        width: Int
    ) {
        self.node = node
        self.report = report
        self.folder = folder
        self.streams = streams
        self.asks = asks
        self.width = width
        doorkeeper = Doorkeeper(node, report, asks: asks)
    }

    /// Tells apart what goes on at once.
    func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    func run() async throws {
        try await tellReady()
        try await withThrowingDiscardingTaskGroup { group in
            if asks { group.addTask { try await self.doorkeeper.questions.read() } }
            while let event = await node.events.next() {
                switch event {
                case .joined(let session, let peer):
                    try await doorkeeper.letIn(peer, session)
                    group.addTask { try await self.follow(session) }
                case .invited(let invitation): try await doorkeeper.ask(invitation)
                case .invitationOver(let invitation, let reason): try await doorkeeper.isOver(invitation, reason)
                case .keyChanged(let name, let known, let now):
                    await report.complain(SessionWording.keyChanged(name, known, now))
                case .trouble(let error): await report.complain("\(error)")
                case .linked, .unlinked, .delivered, .code: break
                }
            }
        }
    }

    private func tellReady() async throws {
        let own = PeerTag(node.id, node.configuration.name)
        let sentence = """
            this machine is “\(own)” (\(node.id.short)), listening on port \(node.port)
            what comes goes to \(PrintableText(folder.path, limit: 4096)); Ctrl-C ends
            """
        try await report.tell(
            SessionNews("ready", own, sentence) { ($0.port, $0.path) = (node.port, folder.path) }
        )
    }

    private func follow(_ session: Session) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while let event = await session.events.next() {
                switch event {
                case .message(let message): try await take(message, in: session)
                case .stream(let stream):
                    let peer = tag(stream.peer, session)
                    group.addTask { try await StreamTaking(self, stream, peer).run() }
                case .resource(let resource):
                    let peer = tag(resource.peer, session)
                    group.addTask { try await ResourceTaking(self, resource, peer).run() }
                case .joined(let peer, let name):
                    try await report.tell(SessionNews("joined", PeerTag(peer, name), nil))
                case .away(let peer, let reason):
                    try await report.tell(SessionNews("away", tag(peer, session), nil) { $0.reason = reason.word })
                case .returned(let peer): try await report.tell(SessionNews("returned", tag(peer, session), nil))
                case .departed(let peer, let reason):
                    try await report.tell(SessionNews("left", tag(peer, session), nil) { $0.reason = reason.word })
                    if session.peers.isEmpty { session.leave() }
                }
            }
        }
    }

    private func tag(_ peer: PeerID, _ session: Session) -> PeerTag {
        PeerTag(peer, session.name(of: peer) ?? doorkeeper.names[peer])
    }

    private func take(_ message: Message, in session: Session) async throws {
        let peer = tag(message.peer, session)
        do {
            // It is kept before it is shown, so that what was seen can be found again.
            try await node.ledger.enter(
                .message(message.bytes),
                from: peer.id,
                called: peer.name,
                size: ByteCount(UInt64(message.bytes.count))
            )
        } catch {
            await report.complain("a message is not kept: \(error)")
        }
        try await report.tell(.message(message, peer))
    }
}
