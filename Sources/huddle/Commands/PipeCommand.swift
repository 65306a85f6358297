import CommandTable
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// `huddle pipe`: standard input here becomes standard output there.
enum PipeCommand {
    static let peer = Argument(
        optional: "PEER",
        .text.named("PEER"),
        help: "to whom, or with --receive from whom alone: its name, the beginning of its id, or HOST:PORT"
    )
    static let name = Option("as", .label, default: .pipe, help: "what the stream is called over there")
    static let receive = Option("receive", .label, help: "take the next stream of this name and print it")

    static let row = Command<CommandAction>(
        "pipe",
        summary: "stream standard input to another machine, or print what one streams here",
        discussion: """
            The other side runs `huddle pipe --receive NAME`, or `huddle inbox`, which keeps streams in files. Writing \
            waits for the reader over there. The exit code is 0 only where all of it has been read over there; a stream \
            that breaks is not resumed.
            """,
        arguments: [peer],
        options: [name, receive] + CallOptions.meeting + NodeOptions.present,
        examples: [
            Example("tar c saves | huddle pipe Deck --as saves", "here"),
            Example("huddle pipe --receive saves | tar x", "on Deck, before that"),
        ],
        exitCodes: ExitCode.calling + [.notPermitted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        if let name = given[receive] { return try await take(name, given, console, signals) }
        guard let peer = given[peer] else {
            throw CommandError(
                "command.peer-missing",
                "nobody is named to stream to",
                nextStep: "write `huddle pipe PEER`, or `huddle pipe --receive NAME` to take a stream"
            )
        }
        return try await give(to: peer, given, console, signals)
    }

    private static func give(
        to peer: String,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        let answer = CodeAnswer(given, inputIsTaken: true)
        let code = try await NodeHost.run(.calling, given, console, signals) { node in
            let session = node.session(SessionConfiguration(name: given[name], topology: .star))
            let caller = Caller(node, report, session, given, answer)
            return try await caller.run {
                let tag = try await caller.connect(peer, wait: given[CallOptions.wait])
                let stream = try await session.openStream(named: given[name], to: tag.id)
                let count = try await pour(into: stream)
                try await report.tell(
                    SessionNews("stream-ended", tag, nil) { ($0.name, $0.bytes) = (given[name].text, count) }
                )
                return .success
            }
        }
        return code ?? .interrupted
    }

    @Engine
    private static func pour(into stream: OutgoingStream) async throws -> UInt64 {
        var count: UInt64 = 0
        do {
            while true {
                let bytes = try await InputBytes.next(upTo: 256 << 10)
                if bytes.isEmpty { break }
                try await stream.write(bytes)
                count += UInt64(bytes.count)
            }
            try await stream.finish()
        } catch let error as SystemError {
            // What can't be read here must not look like the end over there.
            await stream.abort()
            throw error
        }
        return count
    }

    private static func take(
        _ name: Label,
        _ given: GivenValues,
        _ console: Console,
        _ signals: Signals
    ) async throws -> ExitCode {
        let report = SessionReport(asJSON: false, bytesGoOut: true, console)
        let code = try await NodeHost.run(.present, given, console, signals) { node in
            var only: PeerID?
            if let typed = given[peer] { only = try await Acquaintances(ledger: node.ledger).find(typed).id }
            let inbox = Inbox(
                node,
                report,
                nil,
                streams: .one(name, from: only, console),
                asks: false,
                width: console.width
            )
            return try await inbox.run()
        }
        return code ?? .interrupted
    }
}
