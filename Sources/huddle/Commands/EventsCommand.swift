import CommandTable
import Household
import LinuxPlatform
import Vocabulary

/// `huddle events`: show the daemon's events.
enum EventsCommand {
    static let limit = Option("for", .duration, help: "the time after which to stop (default: until Ctrl-C)")

    static let row = Command<CommandAction>(
        "events",
        summary: "show the daemon's events as they happen",
        discussion: """
            It begins with the machines that ask to pair. It asks no questions itself; `huddle inbox` does. If the \
            daemon restarts, the command goes on.
            """,
        options: [limit, AskingOptions.state, LookingOptions.json],
        examples: [
            Example("huddle events", "until Ctrl-C"),
            Example("huddle events --json", "for a program"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        _ = try Daemon.required(given)
        let code = try await Daemon.follow(given, console, signals, report, canAsk: false, orFor: given[limit])
        return code ?? .success
    }
}
