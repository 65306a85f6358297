import CommandTable
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// `huddle forget`: a known peer becomes a stranger.
enum ForgetCommand {
    static let row = Command<CommandAction>(
        "forget",
        summary: "forget a machine: the next time it takes a code again",
        discussion: """
            Its key, its policy and its addresses are removed; what it sent stays. What goes on with it ends at once. A machine \
            that was installed again has a new key: forget the old one, then meet it again. A block ends as well.
            """,
        arguments: [AcceptCommand.peer],
        options: NodeOptions.keeping,
        examples: [Example("huddle forget Deck", "the next meeting takes a code again")],
        exitCodes: [.success, .failure, .usage, .unreachable, .noDaemon, .interrupted],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        let typed = given[AcceptCommand.peer]
        guard let meant = try await Counterpart.meant(typed, in: ledger, given, console, signals) else {
            return .interrupted
        }
        try meant.mayBeReset()
        let peer = meant.tag
        guard try await ledger.forget(peer.id) else { throw HouseholdError.neverMet(typed) }
        try await ledger.note("forgotten", about: peer.id)
        try await SessionReport(asJSON: given[LookingOptions.json], console)
            .tell(SessionNews("forgotten", peer, "Forgot \(peer.full). The next time it takes a code again."))
        return .success
    }
}
