import Session
import Vocabulary

/// The invitations that other peers sent to one local peer and that are not settled.
struct ReceivedInvitations {
    typealias Waiting = (invitation: ReceivedInvitation, envelope: Envelope)

    struct Accepted {
        let core: SessionCore
        let peer: PeerID
        /// The inviter's label of its session, by which it is recognised.
        let session: Label
    }

    private static let earlyLimit = 64

    /// The ones that may still lead to a session.
    var open: Set<InvitationID> = []
    /// Accepted invitations of peers that have not joined yet.
    var accepted: [InvitationID: Accepted] = [:]
    /// Invitations that wait for the app's answer.
    var asked: [PeerID: Waiting] = [:]
    /// Peers that arrived before their introduction: the two use different connections.
    var early: [InvitationID: Waiting] = [:]

    /// Adds a peer that arrived before its introduction; false if too many wait.
    mutating func addEarly(_ invitation: ReceivedInvitation, _ envelope: Envelope) -> Bool {
        guard early.count < Self.earlyLimit else { return false }
        early[invitation.id] = (invitation, envelope)
        return true
    }

    /// Takes the accepted invitation whose session has begun.
    mutating func takeAccepted(of peer: PeerID, for session: Label) -> SessionCore? {
        guard let (id, accepted) = accepted.first(where: { $0.value.peer == peer && $0.value.session == session })
        else { return nil }
        self.accepted[id] = nil
        open.remove(id)
        return accepted.core
    }

    /// Takes the invitation of a peer that the app has not answered.
    mutating func takeAsked(_ peer: PeerID) -> Waiting? {
        if let asked = asked.removeValue(forKey: peer) { return asked }
        guard let waiting = early.first(where: { $0.value.invitation.peer == peer }) else { return nil }
        early[waiting.key] = nil
        return waiting.value
    }

    mutating func remove(_ invitation: InvitationID) {
        open.remove(invitation)
        early[invitation] = nil
        asked = asked.filter { $0.value.invitation.id != invitation }
        accepted[invitation] = nil
    }
}
