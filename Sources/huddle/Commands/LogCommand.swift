import CommandTable
import Household
import Ledger
import LinuxPlatform
import Vocabulary

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
        options: [limit] + NodeOptions.keeping,
        examples: [
            Example("huddle log", "what happened lately"),
            Example("huddle log Deck --limit 20", "with one peer"),
        ],
        exitCodes: [.success, .failure, .usage, .unreachable],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        var wanted: PeerID?
        if let typed = given[peer] { wanted = try await Acquaintances(ledger).find(typed).id }
        let names = Dictionary(
            try await ledger.peers().values.map { ($0.id, $0.name) },
            uniquingKeysWith: { first, _ in first }
        )
        let entries = try await ledger.audit().values.filter { wanted == nil || $0.peer == wanted }
        for entry in entries.prefix(given[limit]).reversed() {
            let tag = entry.peer.map { PeerTag($0, names[$0] ?? nil) }
            try await report.tell(.logged(entry, tag))
        }
        if entries.isEmpty, !given[LookingOptions.json] { await report.complain("nothing has been decided here yet") }
        return .success
    }
}
