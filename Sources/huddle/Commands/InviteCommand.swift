import CommandTable
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// `huddle invite`: get to know another machine.
enum InviteCommand {
    static let patience = Option(
        "patience",
        .duration,
        default: .seconds(30),
        help: "how long the person there may take to answer"
    )
    static let sessionName = Option("session", .label, default: .chat, help: "what the other side is invited to")
    static let stay = Flag("stay", help: "stay connected afterwards and print what comes, until Ctrl-C")

    static let row = Command<CommandAction>(
        "invite",
        summary: "ask another machine to let this one in",
        discussion: """
            The other side needs `huddle inbox` running. The first time two machines meet, both screens show a code of six \
            digits: whoever sees the same on both knows that nobody is in between. From then on each knows the other's key \
            and comes in without a question; `huddle policy` changes that.
            """,
        arguments: [CallOptions.peer],
        options: [patience, sessionName, stay] + CallOptions.meeting + NodeOptions.calling,
        examples: [
            Example("huddle invite Deck", "a machine that “huddle peers” lists"),
            Example("huddle invite 10.0.0.7:4242", "one behind a router, by its address"),
        ],
        exitCodes: ExitCode.calling,
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let code = try await NodeHost.run(.calling, given, console, signals) { node in
            let session = node.session(SessionConfiguration(name: given[sessionName], topology: .star))
            let caller = Caller(node, report, session, given, CodeAnswer(given))
            return try await caller.run {
                let peer = try await caller.connect(
                    given[CallOptions.peer],
                    wait: given[CallOptions.wait],
                    patience: given[patience]
                )
                try await report.tell(SessionNews("connected", peer, "\(peer.full) has let this machine in"))
                if given[stay] { return try await remain(in: session, report, node) }
                return .success
            }
        }
        return code ?? (given[stay] ? .success : .interrupted)
    }

    @Engine
    private static func remain(in session: Session, _ report: SessionReport, _ node: Node) async throws -> ExitCode {
        while let event = await session.events.next() {
            switch event {
            case .message(let message):
                try await report.tell(.message(message, PeerTag(message.peer, session.name(of: message.peer))))
            case .away(let peer, let reason):
                let tag = PeerTag(peer, session.name(of: peer))
                try await report.tell(
                    SessionNews("away", tag, "\(tag) is away (\(reason.word))") { $0.reason = reason.word }
                )
            case .returned(let peer):
                let tag = PeerTag(peer, session.name(of: peer))
                try await report.tell(SessionNews("returned", tag, "\(tag) is back"))
            case .departed(let peer, let reason):
                let tag = PeerTag(peer, nil)
                try await report.tell(
                    SessionNews("left", tag, "\(tag) has left (\(reason.word))") { $0.reason = reason.word }
                )
                if session.peers.isEmpty { return .lost }
            case .stream(let stream): await stream.abort()
            case .resource(let resource): resource.refuse()
            case .joined: break
            }
        }
        return .success
    }
}

extension SessionNews {
    static func message(_ message: Message, _ peer: PeerTag) -> SessionNews {
        SessionNews("message", peer, SessionWording.message(message.bytes, from: peer)) { news in
            news.text = String(validating: message.bytes, as: UTF8.self)
            if news.text == nil { news.base64 = Base64Text.of(message.bytes) }
        }
    }
}
