import CommandTable
import Control
import Household
import LinuxPlatform
import Vocabulary

/// `huddle status`: whether the daemon runs, and how it is.
enum StatusCommand {
    static let row = Command<CommandAction>(
        "status",
        summary: "show whether huddle is there for others, and how it is",
        discussion: "It asks the daemon. Where none runs, it says how to start one.",
        options: NodeOptions.keeping,
        examples: [
            Example("huddle status", "name, port, who is there, who waits"),
            Example("huddle status --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        guard Counterpart.daemon(given) != nil else { throw CommandError.noDaemon }
        let code = try await Counterpart.run(given, console, signals) { asked in
            let lines = try await asked.news(ControlQuestion("GET", ["v1", "status"]))
            while let news = try await lines.next() { try await report.tell(news) }
            return .success
        }
        return code ?? .interrupted
    }
}

extension CommandError {
    /// Nobody answers requests, whether or not a command is there for others.
    static let noDaemon = CommandError(
        "command.no-daemon",
        "no huddled runs here",
        nextStep: "start it with `systemctl --user enable --now huddled`, or try it out with `huddled` on a terminal"
    )
}
