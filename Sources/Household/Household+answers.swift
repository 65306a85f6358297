import LinuxPlatform
import Discovery
package import Session
package import Vocabulary

extension Household {
    /// The name, ID and port of this machine: the first line that every reader of events gets.
    package var ready: DaemonLine {
        let own = PeerTag(node.id, node.configuration.name)
        let place =
            folder.refusal.map { "no files are taken: \($0)" }
            ?? "files go to \(PrintableText(shortPath: folder.path))"
        let sentence = "this machine is “\(own)” (\(node.id.short)), listening on port \(node.port)\n\(place)"
        let ready = ReadyEvent(
            machine: own,
            port: node.port,
            inbox: folder.path,
            inboxRefusal: folder.refusal.map { "\($0)" }
        )
        return DaemonLine(.ready(ready), sentence)
    }

    /// The waiting invitations, the oldest first.
    package var waitingInvitations: [DaemonLine] { pendingInvitations.waiting }

    /// The error of an answer to a machine that does not wait to be accepted, with the reason if it did before.
    package func nothingWaits(_ typed: String) -> HouseholdError {
        .nothingWaits(typed, because: pendingInvitations.ended.reason(from: typed))
    }

    /// Machines that were seen and do not answer, because their cable or that of this machine is unplugged.
    ///
    /// A probe that began while a cable was unplugged may end after it is plugged in, and no other probe follows. So a
    /// machine that only did not answer counts as reachable while it is connected. A connection over a link that is
    /// down does not count.
    package func unreachablePeers() async -> Set<PeerID> {
        var (present, unreachable): (Set<PeerID>, Set<PeerID>) = ([], [])
        for case (let found, let id?) in await node.foundPeers() {
            switch found.state {
            case .present: present.insert(id)
            case .unreachable(.notAnswering) where node.isLinked(to: id): present.insert(id)
            case .unreachable: unreachable.insert(id)
            }
        }
        return unreachable.subtracting(present)
    }

    /// Carries out the user's answer to a machine that waits to be accepted.
    ///
    /// - Parameter always: true if the machine needs no question from now on, once it is accepted
    package func answer(_ invitation: InvitationID, _ answer: Node.Answer, always: Bool = false) async throws {
        try await pendingInvitations.answer(invitation, answer, always: always)
    }

    /// Follows a waiting invitation to its end.
    ///
    /// - Returns: the outcome, which reports the invitation as long as it waits
    /// - Throws: if no such invitation waits
    package func outcome(
        of invitation: InvitationID
    ) throws -> @Engine @Sendable (_ tell: @escaping @Sendable (DaemonLine) async throws -> Void) async throws -> Void {
        let outcome = try pendingInvitations.follow(invitation)
        return { [pendingInvitations] tell in
            defer { pendingInvitations.leave(outcome, of: invitation) }
            try await outcome.follow(tell)
        }
    }
}

extension HouseholdError {
    static func invitationOver(because reason: String?) -> HouseholdError {
        HouseholdError(
            ErrorCode(.notFound, "command.no-invitation"),
            "that invitation is over\(reason.map { ": \($0)" } ?? "")",
            nextStep: "have it made again"
        )
    }
}
