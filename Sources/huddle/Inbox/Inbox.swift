import CommandTable
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
        /// The next of that name to standard output, from that peer if one is named; with its end this ends.
        case one(Label, from: PeerID?, Console)
    }

    let node: Node
    let report: SessionReport
    /// Where files go; without one they are refused.
    let folder: InboxFolder?
    let streams: Streams
    let width: Int
    private let asks: Bool
    private let doorkeeper: Doorkeeper
    private var lastNumber = 0
    private let ending = Resumption<ExitCode>()
    private var hasOne = false

    init(
        _ node: Node,
        _ report: SessionReport,
        _ folder: InboxFolder?,
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

    /// Until it is cancelled, or the one stream that was waited for has ended.
    func run() async throws -> ExitCode {
        try await tellReady()
        return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.followNode()
                return nil
            }
            group.addTask { try await self.ending.valueUnlessCancelled() }
            while let code = try await group.next() {
                if let code { return code }
            }
            return .interrupted
        }
    }

    private func followNode() async throws {
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
        let place = folder.map { "\nwhat comes goes to \(PrintableText($0.path, limit: 4096)); Ctrl-C ends" } ?? ""
        let sentence = "this machine is “\(own)” (\(node.id.short)), listening on port \(node.port)\(place)"
        try await report.tell(
            SessionNews("ready", own, sentence) { ($0.port, $0.path) = (node.port, folder?.path) }
        )
    }

    private func follow(_ session: Session) async throws {
        try await withThrowingDiscardingTaskGroup { group in
            while let event = await session.events.next() {
                switch event {
                case .message(let message): try await take(message, in: session)
                case .stream(let stream):
                    let peer = tag(stream.peer, session)
                    group.addTask { try await self.take(stream, peer) }
                case .resource(let resource):
                    guard let folder else {
                        resource.refuse()
                        continue
                    }
                    let peer = tag(resource.peer, session)
                    group.addTask { try await ResourceTaking(self, resource, peer, into: folder).run() }
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

    private func take(_ stream: IncomingStream, _ peer: PeerTag) async throws {
        let taking = StreamTaking(self, stream, peer)
        switch (streams, folder) {
        case (.files, let folder?): try await taking.toFile(in: folder)
        case (.files, nil): await stream.abort()
        case (.output(let console), _): _ = try await taking.toOutput(console)
        case (.one(let name, let only, let console), _):
            guard stream.name == name, only == nil || only == stream.peer, !hasOne else { return await stream.abort() }
            hasOne = true
            ending.resume(with: .success(try await taking.toOutput(console)))
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
