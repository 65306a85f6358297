import Ledger
import LinuxPlatform
import Session
import SessionRules
import Vocabulary

/// The gate for invitations: shows them to the readers of events, and keeps the answers.
@Engine
final class PendingInvitations {
    private let node: Node
    private let events: EventBus
    /// The machines that the user has just accepted for good.
    private var welcome: Set<PeerID> = []
    private var asked: [InvitationID: Asked] = [:]
    private var outcomes: [InvitationID: [InvitationOutcome]] = [:]
    /// The reasons why former invitations have ended.
    private(set) var ended = EndedInvitations()

    private struct Asked {
        let invitation: ReceivedInvitation
        let peer: PeerTag

        var event: InvitationEvent {
            InvitationEvent(
                peer,
                session: invitation.sessionName.text,
                invitation: invitation.id.description,
                needsCode: invitation.codeNeed != .none
            )
        }
    }

    init(_ node: Node, _ events: EventBus) {
        self.node = node
        self.events = events
    }

    /// The waiting invitations, the oldest first.
    var waiting: [DaemonLine] {
        asked.values.sorted { $0.invitation.deadline < $1.invitation.deadline }.map(Self.line)
    }

    func ask(_ invitation: ReceivedInvitation) async -> DaemonLine {
        let peer = await SimilarNames(node: node).mark(PeerTag(invitation.peer, invitation.name))
        let asked = Asked(invitation: invitation, peer: peer)
        let question = Self.line(asked)
        // An invitation comes again if the user invites the same machine. Only the call at that terminal needs it then.
        if self.asked.updateValue(asked, forKey: invitation.id) == nil { events.put(question) }
        return question
    }

    func isOver(_ invitation: InvitationID, _ reason: PartingReason, _ missing: MissingWord?) {
        guard let asked = asked.removeValue(forKey: invitation) else { return }
        let peer = asked.peer
        welcome.remove(peer.id)
        ended.add(invitation, of: peer, reason, missing)
        settle(invitation, .failure(SessionError(reason, missing: missing)))
        let sentence: String? =
            switch reason {
            case .declined: nil
            // The peer may be paired by now: an invitation from here may have replaced this one.
            case .replaced: "what \(peer.full) asked is over: another invitation took its place"
            default: "\(peer.full) is not in: \(SessionError(reason, missing: missing).message)"
            }
        let event = EndedInvitationEvent(machine: peer, invitation: invitation.description, reason: reason.word)
        events.put(DaemonLine(.invitationEnded(event), sentence))
    }

    /// Notes that a peer is accepted, by policy or by the user.
    func letIn(_ id: PeerID, _ session: Session) async {
        let met = asked.values.first { $0.peer.id == id }?.peer
        let peer = PeerTag(id, session.name(of: id) ?? met?.name, twin: met?.twin)
        var answered: [InvitationID] = []
        ended.forget(id)
        for (invitation, other) in asked where other.peer.id == id {
            asked[invitation] = nil
            answered.append(invitation)
            let accepted = AcceptedEvent(peer, invitation: invitation.description)
            events.put(DaemonLine(.accepted(accepted), "Connected to \(peer.full)"))
        }
        // A program that waits for the outcome continues only when all of it is in effect, the policy included.
        defer { for invitation in answered { settle(invitation, .success(peer)) } }
        guard welcome.remove(id) != nil else { return }
        do {
            try await node.setPolicy(.accept, for: id)
        } catch {
            // The peer is accepted all the same. Only the next time the user is asked again.
            return events.put(.trouble("that \(peer.full) comes in without a question is not kept: \(error)"))
        }
        let sentence = "from now on it comes in without a question; `huddle policy` changes that"
        events.put(DaemonLine(.policy(PolicyEvent(machine: peer, policy: Policy.accept.rawValue)), sentence))
    }

    /// Carries out the answer of the user.
    ///
    /// - Parameter always: true if the peer needs no question from now on, once it is accepted
    func answer(_ invitation: InvitationID, _ answer: Node.Answer, always: Bool) async throws {
        guard let peer = asked[invitation]?.peer.id else { throw isOver(invitation) }
        // The latest answer counts: an earlier one without a code may have been refused.
        if case .accept = answer, always { welcome.insert(peer) } else { welcome.remove(peer) }
        do {
            try await node.answer(invitation, answer)
        } catch {
            welcome.remove(peer)
            throw error
        }
        if case .accept = answer { for outcome in outcomes[invitation] ?? [] { outcome.isAnswered() } }
    }

    // MARK: Outcomes

    /// Follows a waiting invitation to its end.
    func follow(_ invitation: InvitationID) throws -> InvitationOutcome {
        guard let asked = asked[invitation] else { throw isOver(invitation) }
        let outcome = InvitationOutcome(of: asked.event, Self.line(asked), until: asked.invitation.deadline)
        outcomes[invitation, default: []].append(outcome)
        return outcome
    }

    /// Notes that no program waits for that outcome now.
    func leave(_ outcome: InvitationOutcome, of invitation: InvitationID) {
        outcomes[invitation]?.removeAll { $0 === outcome }
        if outcomes[invitation]?.isEmpty == true { outcomes[invitation] = nil }
    }

    private func isOver(_ invitation: InvitationID) -> HouseholdError {
        .invitationOver(because: ended.reason(of: invitation))
    }

    private func settle(_ invitation: InvitationID, _ result: Result<PeerTag, any Error>) {
        for outcome in outcomes.removeValue(forKey: invitation) ?? [] { outcome.settle(result) }
    }

    private static func line(_ asked: Asked) -> DaemonLine {
        let sentence = "\(asked.peer.full) asks to come in (“\(asked.invitation.sessionName)”)"
        return DaemonLine(.invitation(asked.event), sentence)
    }
}
