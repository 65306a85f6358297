import CommandTable
import Household
import LinuxPlatform
import Vocabulary

/// `huddle events`: what happens, as it happens.
enum EventsCommand {
    static let limit = Option("for", .duration, help: "stop after this long; without it, go on until Ctrl-C")

    static let row = Command<CommandAction>(
        "events",
        summary: "show what happens here, as it happens",
        discussion: """
            What the daemon tells: who asks to come in, who is in, what comes. It begins with who waits to be let in. On a \
            terminal it asks no questions; `huddle inbox` does. It goes on when the daemon restarts.
            """,
        options: [limit, AskingOptions.state, LookingOptions.json],
        examples: [
            Example("huddle events", "until Ctrl-C"),
            Example("huddle events --json", "for a program that does something about it"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        _ = try Daemon.required(given)
        let code = try await Daemon.follow(given, console, signals, report, asks: false, orFor: given[limit])
        return code ?? .success
    }
}
