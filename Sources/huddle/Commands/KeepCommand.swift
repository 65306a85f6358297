import CommandTable
import Control
import LinuxPlatform

/// `huddle keep`: keep a machine in the household on this machine, though another machine removed it.
enum KeepCommand {
    static let row = Command<CommandAction>(
        "keep",
        summary: "keep a machine that another one removed",
        discussion: """
            If a machine of the household forgets or blocks another one, all others ask their user. `huddle keep` \
            keeps the machine here. `huddle forget` removes it here, too.
            """,
        arguments: [AcceptCommand.peer],
        options: AskingOptions.all,
        examples: [Example("huddle keep Deck", "Deck stays paired with this machine")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let request = Endpoint.keepPeer.request(given[AcceptCommand.peer])
        return try await Daemon.show(request, given, console, signals)
    }
}
