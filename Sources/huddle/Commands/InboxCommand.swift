import CommandTable
import Control
import Household
import Ledger
import LinuxPlatform
import Session
import Vocabulary

/// `huddle inbox`: be there for others.
enum InboxCommand {
    static let into = Option(
        "into",
        .folder,
        help: "where files, folders and streams go; else $XDG_DOWNLOAD_DIR or ~/Downloads"
    )
    static let stream = Option(
        "stream-to",
        .oneOf(["files", "stdout"]),
        default: "files",
        help: "where streams go; with stdout, what is told goes to standard error"
    )
    static let list = Flag("list", help: "show what has arrived, newest last, and end")
    static let limit = Option("for", .duration, help: "stop after this long; without it, go on until Ctrl-C")

    static let row = Command<CommandAction>(
        "inbox",
        summary: "be there for others and take what they send",
        discussion: """
            Others find this machine, ask to come in, and send messages, files, folders and streams. Who was let in before \
            comes in by itself. Who is new is a question on this terminal; where there is none, `huddle accept` answers it \
            from another one. Nothing is overwritten: where a name is taken, what comes is called “name (2)”.
            """,
        options: [into, stream, list, limit, CallOptions.input] + NodeOptions.present,
        examples: [
            Example("huddle inbox", "until Ctrl-C"),
            Example("huddle inbox --into ~/From-others --json", "for a program that watches"),
            Example("huddle inbox --list", "what came while nobody looked"),
            Example(
                "huddle inbox --address 127.0.0.1 --port 4242 --no-advertise --no-browse",
                "to try things out alone"
            ),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        if given[list] { return try await InboxList(given, console).show() }
        let streamsGoOut = given[stream] == "stdout"
        if streamsGoOut, console.isTerminal {
            throw CommandError(
                "command.stream-to-terminal",
                "what others stream does not belong on a terminal",
                nextStep: "send standard output to a file or a pipe, or leave --stream-to out"
            )
        }
        let report = SessionReport(
            asJSON: given[LookingOptions.json],
            bytesGoOut: streamsGoOut,
            // A person who reads this terminal needs no desktop, and the line would part the question from what it is about.
            silentAbout: ["no-desktop"],
            console
        )
        let asks = given[CallOptions.input] || Terminal.isInForeground && console.isTerminal
        // The daemon is there for others already; here is what it tells.
        if given[into] == nil, !streamsGoOut, Counterpart.daemon(given) != nil {
            let code = try await Counterpart.follow(given, console, signals, report, asks: asks, orFor: given[limit])
            return code ?? .success
        }
        let events = ControlQuestion("GET", ["v1", "events"])
        let (folder, late) = (try await StateFolder.inbox(given[into], given), LateNews())
        let code = try await NodeHost.run(.present, given, console, signals, orFor: given[limit]) { node in
            let streams: Household.Streams = streamsGoOut ? .output { try await console.hand(on: $0) } : .files
            let household = Household(node, into: folder, streams: streams)
            let control = Control(household, as: ProgramFacts(version: Release.version, presence: nil))
            return try await Counterpart.running(household) {
                defer { late.follow(household) }
                return try await Conversation(with: control, report, asks: asks).follow(events)
            }
        }
        for news in await late.all() { try await report.tell(news) }
        return code ?? .success
    }
}
