import CommandTable
import Control
import LinuxPlatform

/// `huddle forget`: forget a paired machine.
enum ForgetCommand {
    static let row = Command<CommandAction>(
        "forget",
        summary: "forget a machine, which needs a code again",
        discussion: """
            Its key, policy and addresses are removed; its messages and files stay. Connections with it end at once. A \
            machine that was installed again has a new key: forget the old one, then pair again. A block ends as well.
            """,
        arguments: [AcceptCommand.peer],
        options: AskingOptions.all,
        examples: [Example("huddle forget Deck", "Deck must pair again with a code")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let request = Endpoint.forgetPeer.request(given[AcceptCommand.peer])
        return try await Daemon.show(request, given, console, signals)
    }
}
