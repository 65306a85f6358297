import CommandTable
import Control
import LinuxPlatform

/// `huddle block` and `huddle unblock`: who gets no answer.
enum BlockCommand {
    static let row = Command<CommandAction>(
        "block",
        summary: "look offline to a machine, and take nothing from it",
        discussion: """
            It can't tell that from a machine where nobody answers. What goes on with it ends at once. It works by key, so \
            another name does not help it. A stranger can be named as `huddle peers` shows it.
            """,
        arguments: [AcceptCommand.peer],
        options: AskingOptions.all,
        examples: [Example("huddle block Stranger", "other machines do not see that this one is on")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: block
    )

    static let undoing = Command<CommandAction>(
        "unblock",
        summary: "answer a blocked peer again",
        discussion: "The peer is known, and let in, as it was before it was blocked.",
        arguments: [AcceptCommand.peer],
        options: AskingOptions.all,
        examples: [Example("huddle unblock Deck", "it is let in as before, and its saves are in sync again")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: unblock
    )

    private static func block(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try await Daemon.show(ControlQuestion("PUT", path(given)), given, console, signals)
    }

    private static func unblock(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try await Daemon.show(ControlQuestion("DELETE", path(given)), given, console, signals)
    }

    private static func path(_ given: GivenValues) -> [String] { ["v1", "peers", given[AcceptCommand.peer], "block"] }
}
