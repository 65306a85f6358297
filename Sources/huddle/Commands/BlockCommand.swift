import CommandTable
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// `huddle block` and `huddle unblock`: who gets no answer.
enum BlockCommand {
    static let row = Command<CommandAction>(
        "block",
        summary: "look offline to a machine, and take nothing from it",
        discussion: """
            It can't tell that from a machine where nobody answers. What goes on with it ends at once. It works by key, so \
            another name does not help it. A stranger can be named as `huddle peers` shows it while huddled runs, which sees who \
            is there.
            """,
        arguments: [AcceptCommand.peer],
        options: NodeOptions.keeping,
        examples: [Example("huddle block Stranger", "it is nobody's business whether this machine is on")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: block
    )

    static let undoing = Command<CommandAction>(
        "unblock",
        summary: "answer a blocked peer again",
        discussion: "The peer is known, and let in, as it was before it was blocked.",
        arguments: [AcceptCommand.peer],
        options: NodeOptions.keeping,
        examples: [Example("huddle unblock Deck", "it is let in as before, and its saves are in sync again")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: unblock
    )

    private static func block(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        guard
            let peer = try await Counterpart.meant(given[AcceptCommand.peer], in: ledger, given, console, signals)?.tag
        else { return .interrupted }
        try await ledger.setPolicy(.block, for: peer.id, name: peer.name)
        try await ledger.note("blocked", about: peer.id)
        try await tell("blocked", peer, "Blocked \(peer.full). To it, this machine looks offline.", given, console)
        return .success
    }

    private static func unblock(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        guard let meant = try await Counterpart.meant(given[AcceptCommand.peer], in: ledger, given, console, signals)
        else {
            return .interrupted
        }
        try meant.mayBeReset()
        let peer = meant.tag
        guard try await ledger.peer(peer.id)?.policy == .block else {
            try await tell("unblocked", peer, "\(peer.full) was not blocked", given, console)
            return .success
        }
        let (own, usual) = (try await ledger.unblock(peer.id), try await ledger.defaultPolicy())
        try await ledger.note("unblocked", about: peer.id)
        let sentence =
            switch own ?? usual {
            case .accept: "Unblocked \(peer.full). It connects without a question, as before."
            case .ask:
                "Unblocked \(peer.full). It asks each time\(meant.isPinned ? "; \(remedy(meant))" : ".")"
            case .block: "\(peer.full) goes by what holds for everybody, who is blocked; \(remedy(meant))"
            }
        try await tell("unblocked", peer, sentence, given, console)
        return .success
    }

    private static func remedy(_ meant: MeantPeer) -> String {
        let command = "`huddle policy \(meant.tag.id.short) --set"
        // Who was never let in is a question whatever its policy says.
        return meant.isPinned ? "\(command) accept` lets it in without a question" : "\(command) ask` lets it ask"
    }

    private static func tell(
        _ event: String,
        _ peer: PeerTag,
        _ sentence: String,
        _ given: GivenValues,
        _ console: Console
    ) async throws {
        let report = SessionReport(asJSON: given[LookingOptions.json], console)
        try await report.tell(SessionNews(event, peer, sentence))
    }
}
