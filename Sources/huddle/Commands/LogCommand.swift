import CommandTable
import Control
import LinuxPlatform

/// `huddle log`: show invitations, pairings and transfers of the past.
enum LogCommand {
    static let peer = Argument(optional: "PEER", .text.named("PEER"), help: "the machine (default: all)")
    static let limit = Option("limit", .integer(in: 1...10_000), default: 100, help: "the number of lines")

    static let row = Command<CommandAction>(
        "log",
        summary: "show who asked, who paired and what was sent, the newest last",
        discussion: """
            It keeps the last 10,000 entries about paired machines, and the last 1,000 about strangers. If there are \
            many of those, `strangers-more` counts the rest. The log has no contents, keys or codes.
            """,
        arguments: [peer],
        options: [limit] + AskingOptions.all,
        examples: [
            Example("huddle log", "the newest entries"),
            Example("huddle log Deck --limit 20", "entries about one machine"),
        ],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        var query = ["limit": "\(given[limit])"]
        query["peer"] = given[peer]
        return try await Daemon.show(
            Endpoint.log.request(query: query),
            given,
            console,
            signals,
            ifNothing: .remark("the log is still empty")
        )
    }
}
