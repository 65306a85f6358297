import CommandTable
import Household
import Ledger
import LinuxPlatform
import Vocabulary

/// `huddle decline`: tell somebody no who waits at `huddle inbox`.
enum DeclineCommand {
    static let row = Command<CommandAction>(
        "decline",
        summary: "tell a peer that waits to be let in that it may not",
        discussion: "It may ask again. After “huddle block” it gets no answer.",
        arguments: [AcceptCommand.peer],
        options: NodeOptions.keeping,
        examples: [Example("huddle decline Deck", "not now")],
        exitCodes: [.success, .failure, .usage, .unreachable],
        action: run
    )

    private static func run(_ given: GivenValues, _ console: Console, _ signals: Signals) async throws -> ExitCode {
        let ledger = try await StateFolder.ledger(given)
        let typed = given[AcceptCommand.peer]
        guard let invitation = try await Acquaintances(ledger).invitation(from: typed),
            try await ledger.answer(invitation.id, with: .decline)
        else { throw HouseholdError.nothingWaits(typed) }
        let peer = PeerTag(invitation.peer, invitation.name)
        try await SessionReport(asJSON: given[LookingOptions.json], console)
            .tell(SessionNews("declined", peer, "\(peer.full) is told no"))
        return .success
    }
}
