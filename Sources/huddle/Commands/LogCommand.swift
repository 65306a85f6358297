import CommandTable
import Control
import LinuxPlatform

/// `huddle log`: what was decided here.
enum LogCommand {
    static let peer = Argument(optional: "PEER", .text.named("PEER"), help: "only what was about this one")
    static let limit = Option("limit", .integer(in: 1...10_000), default: 100, help: "how many lines at the most")

    static let row = Command<CommandAction>(
        "log",
        summary: "show who asked, who was let in, and what was sent, newest last",
        discussion: """
            The last 10,000 decisions about machines that are known are kept, and the last 1,000 about strangers. Where there are many of \
            those, `strangers-more` says how many more there were. No contents, no keys and no codes are among them.
            """,
        arguments: [peer],
        options: [limit] + AskingOptions.all,
        examples: [
            Example("huddle log", "what happened lately"),
            Example("huddle log Deck --limit 20", "with one peer"),
        ],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        var query = ["limit": "\(given[limit])"]
        query["peer"] = given[peer]
        return try await Daemon.show(
            ControlQuestion("GET", ["v1", "log"], query: query),
            given,
            console,
            signals,
            ifNothing: .remark("nothing has been decided here yet")
        )
    }
}
