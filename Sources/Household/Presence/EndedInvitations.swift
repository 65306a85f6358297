import Ledger
import Session
import SessionRules
import Vocabulary

/// The last invitations that led to nothing, with the reason: a person who runs `huddle accept` a moment too late reads
/// it.
///
/// The log can't tell it: strangers' notes there are counted where there are many, and not written.
struct EndedInvitations {
    private struct Ending {
        let invitation: InvitationID
        let peer: PeerTag
        let words: String
    }

    /// More than strangers can ask at a time, so that they don't push out the reason of the one that a person is about
    /// to answer.
    static let limit = 32

    private var endings: [Ending] = []

    /// Keeps the reason of one that has ended; the oldest gives way.
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

    /// Forgets those of a peer that is in now.
    mutating func forget(_ peer: PeerID) { endings.removeAll { $0.peer.id == peer } }

    /// Why an invitation is over; nil if that is not known.
    func reason(of invitation: InvitationID) -> String? { endings.last { $0.invitation == invitation }?.words }

    /// Why the last invitation of a machine is over, as a person names the machine; nil if several machines may be
    /// meant.
    func reason(from typed: String) -> String? {
        let meant = endings.filter { PeerWords.mean(typed, name: $0.peer.name?.text ?? "", id: $0.peer.id) }
        guard Set(meant.map(\.peer.id)).count == 1 else { return nil }
        return meant.last?.words
    }
}
