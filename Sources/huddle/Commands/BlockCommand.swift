import CommandTable
import Control
import LinuxPlatform

/// `huddle block` and `huddle unblock`: machines that get no answer.
enum BlockCommand {
    static let row = Command<CommandAction>(
        "block",
        summary: "look offline to a machine, and take nothing from it",
        discussion: """
            To that machine this one looks offline. Transfers and connections with it end at once. A block holds for \
            the key, so another name does not help. You can name a stranger as `huddle peers` shows it.
            """,
        arguments: [AcceptCommand.peer],
        options: AskingOptions.all,
        examples: [Example("huddle block Stranger", "to Stranger this machine looks offline")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: block
    )

    static let undoing = Command<CommandAction>(
        "unblock",
        summary: "end the block of a machine",
        discussion: "The machine is known, with its policy and rights, as it was before the block.",
        arguments: [AcceptCommand.peer],
        options: AskingOptions.all,
        examples: [Example("huddle unblock Deck", "it connects as before, and its games sync again")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: unblock
    )

    private static func block(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try await Daemon.show(Endpoint.blockPeer.request(given[AcceptCommand.peer]), given, console, signals)
    }

    private static func unblock(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        try await Daemon.show(Endpoint.unblockPeer.request(given[AcceptCommand.peer]), given, console, signals)
    }
}
