import CommandTable
import Household
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
        let meeting = Call.Meeting(given, inputIsTaken: true)
        let code = try await NodeHost.run(.calling, given, console, signals) { node in
            let household = Household(node, into: nil)
            let call = Call(of: household, named: given[name], meeting) { try await report.tell($0) }
            return try await Counterpart.running(household) {
                try await call.run {
                    let tag = try await call.connect(peer, wait: given[CallOptions.wait])
                    let stream = try await call.session.openStream(named: given[name], to: tag.id)
                    let count = try await pour(into: stream)
                    try await report.tell(
                        SessionNews("stream-ended", tag, nil) { ($0.name, $0.bytes) = (given[name].text, count) }
                    )
                    return .success
                }
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
            if let typed = given[peer] { only = try await Acquaintances(node.ledger).find(typed).id }
            let household = Household(
                node,
                into: nil,
                streams: .one(name, from: only) { try await console.hand(on: $0) }
            )
            return try await tell(household, report)
        }
        return code ?? .interrupted
    }

    /// Until the stream has ended; what happened last is told, too.
    @Engine
    private static func tell(_ household: Household, _ report: SessionReport) async throws -> ExitCode {
        let reader = household.news.follow()
        try await report.tell(household.ready)
        return try await withThrowingTaskGroup(of: ExitCode?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                while let latest = await reader.next() {
                    for news in latest { try await report.tell(news) }
                }
                return nil
            }
            group.addTask { try await household.run().map { ExitCode(of: $0) } ?? .success }
            while let ended = try await group.next() {
                guard let ended else { continue }
                for news in reader.rest() { try await report.tell(news) }
                return ended
            }
            return .interrupted
        }
    }
}
