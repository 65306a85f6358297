import CommandTable
import Control
import LinuxPlatform

/// `huddle status`: show the state of the daemon.
enum StatusCommand {
    static let row = Command<CommandAction>(
        "status",
        summary: "show the daemon of this machine: its name, port, machines and games",
        options: AskingOptions.all,
        examples: [
            Example("huddle status", "name, port, machines, games, open invitations"),
            Example("huddle status --json", "for a script"),
        ],
        exitCodes: [.success, .failure, .usage, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try await Daemon.show(Endpoint.status.request(), given, console, signals)
    }
}
