import CommandTable
import Control
import Household
import LinuxPlatform

/// `huddle bench`: measure the speed to another machine.
enum BenchCommand {
    private static let wait = Option(
        "wait",
        .duration,
        default: .seconds(5),
        help: "how long to try to reach the machine, at most a minute"
    )

    static let row = Command<CommandAction>(
        "bench",
        summary: "measure the speed to another machine, and what limits it",
        discussion: """
            It takes less than ten seconds: a message there and back, messages a second, a stream to the other \
            machine, encryption on this processor, and writing a file here. Beside each figure is its limit, measured \
            in the same seconds: the network without Huddle, the processor or the line, plain writing. Only zeros \
            travel, and the other machine forgets them; no user is asked. The other machine runs `huddled` or \
            `huddle inbox`, and accepts this one with the rights messages and streams (`huddle policy`).
            """,
        arguments: [CallOptions.peer],
        options: [wait] + AskingOptions.all,
        examples: [
            Example("huddle bench Deck", "a line for each figure"),
            Example("huddle bench Deck --json", "for a program"),
        ],
        exitCodes: [
            .success, .failure, .usage, .unreachable, .timedOut, .declined, .blocked, .wrongVersion, .lost,
            .notPermitted, .noDaemon, .interrupted,
        ],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        var body = GameBody()
        body.fields.set("peer", given[CallOptions.peer])
        body.fields.set("wait", seconds: given[wait] / .seconds(1))
        let request = Endpoint.measureSpeed.request(saying: body)
        let json = given[LookingOptions.json]
        let report = SessionReport(asJSON: json, console)
        let showsProgress = !json && console.isTerminal
        let code = try await Daemon.ask(given, console, signals) { daemon in
            let lines = try await daemon.events(request)
            var isWaiting = false
            while let line = try await lines.next() {
                if isWaiting { try await console.print("\r\u{1B}[K", terminator: "") }
                isWaiting = false
                if showsProgress, case .measuring(let event) = line.event {
                    isWaiting = true
                    try await console.print("\(words[event.kind] ?? "measuring") …", terminator: "")
                }
                if let line = BenchLine.text(of: line) { try await report.say(line) }
                try await report.tell(line)
            }
            return lines.failure.map { ExitCode(of: $0) } ?? .success
        }
        // If Ctrl-C came during a step, the line with the progress is erased.
        if code == nil, showsProgress { try await console.print("\r\u{1B}[K", terminator: "") }
        return code ?? .interrupted
    }

    /// The names of the steps. Each is shown while its step runs.
    private static let words: [BenchKind: String] = [
        .encryption: "what this processor encrypts", .roundTrip: "messages there and back",
        .messages: "messages a second", .stream: "a stream", .file: "a file on the disk here",
    ]
}
