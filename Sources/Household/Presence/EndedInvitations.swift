import Ledger
import Session
import SessionRules
import Vocabulary

/// The last invitations that led to nothing, with the reason. A user who runs `huddle accept` a moment too late reads
/// it.
///
/// The log can't serve for this: if there are many notes about strangers, it counts them and does not write them.
struct EndedInvitations {
    private struct Ending {
        let invitation: InvitationID
        let peer: PeerTag
        let words: String
    }

    /// More than strangers can ask at a time. So they can't push out the reason of the invitation that the user is
    /// about to answer.
    static let limit = 32

    private var endings: [Ending] = []

    /// Keeps the reason of an ended invitation, and removes the oldest beyond the limit.
    mutating func add(_ invitation: InvitationID, of peer: PeerTag, _ reason: PartingReason, _ missing: MissingWord?) {
        let words =
            switch reason {
            case .declined: "it was declined here"
            case .replaced: "another invitation took its place"
            default: SessionError(reason, missing: missing).message
            }
        let time = TimeText.local(.now)
        if endings.count == Self.limit { endings.removeFirst() }
        endings.append(Ending(invitation: invitation, peer: peer, words: "\(words) (\(time))"))
    }

    /// Forgets the invitations of a peer that is accepted now.
    mutating func forget(_ peer: PeerID) { endings.removeAll { $0.peer.id == peer } }

    /// The reason why an invitation is over; nil if it is unknown.
    func reason(of invitation: InvitationID) -> String? { endings.last { $0.invitation == invitation }?.words }

    /// The reason why the last invitation of a machine is over, by the name that the user types. It is nil if several
    /// machines may be meant.
    func reason(from typed: String) -> String? {
        let meant = endings.filter { PeerWords.mean(typed, name: $0.peer.name?.text ?? "", id: $0.peer.id) }
        guard Set(meant.map(\.peer.id)).count == 1 else { return nil }
        return meant.last?.words
    }
}
