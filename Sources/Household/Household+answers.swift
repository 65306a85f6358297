package import Session
package import SessionRules
package import Vocabulary

extension Household {
    /// Who this machine is, and where others find it: the first thing that whoever follows the news is told.
    package var ready: SessionNews {
        let own = PeerTag(node.id, node.configuration.name)
        let place = folder.map { folder in
            folder.refusal.map { "\nno files are taken: \($0)" }
                ?? "\nwhat comes goes to \(PrintableText(folder.path, limit: 4096))"
        }
        let sentence = "this machine is “\(own)” (\(node.id.short)), listening on port \(node.port)\(place ?? "")"
        return SessionNews("ready", own, sentence) {
            ($0.port, $0.path) = (node.port, folder?.path)
            $0.because = folder?.refusal.map { "\($0)" }
        }
    }

    /// Who waits to be let in, the oldest first.
    package var waitingInvitations: [SessionNews] { doorkeeper.waiting }

    /// A person answers somebody who waits to be let in.
    ///
    /// - Parameter always: whether it comes in without a question from now on, once it is in
    package func answer(_ invitation: InvitationID, _ answer: Node.Answer, always: Bool = false) async throws {
        try await doorkeeper.answer(invitation, answer, always: always)
    }

    /// A person has compared the code of a call from here.
    ///
    /// - Parameter typed: what the other screen shows; nil where the person has seen that both are the same
    package func confirm(_ invitation: InvitationID, typed: PairingCode? = nil) async throws {
        guard let call = call(of: invitation) else { throw HouseholdError.invitationOver }
        node.confirm(invitation, typed: typed)
        try await call.wasConfirmed(invitation, typed: typed)
    }

    /// A person takes back a call from here.
    package func withdraw(_ invitation: InvitationID) throws {
        guard call(of: invitation) != nil else { throw HouseholdError.invitationOver }
        node.withdraw(invitation)
    }
}

extension HouseholdError {
    static let invitationOver = HouseholdError(
        "command.no-invitation",
        "that invitation is over",
        nextStep: "have it made again"
    )
}
