import Ledger
import LinuxPlatform
import SessionRules
import Vocabulary
import Wire

/// The owner of the invitations with a peer, in both directions.
@Engine
protocol InvitationOwner: AnyObject, Sendable {
    nonisolated var context: NodeContext { get }
    nonisolated var events: EventQueue<NodeEvent> { get }

    // Both directions
    /// Removes an invitation that has a result. The link of a failed one may be unused now.
    func removeInvitation(_ id: InvitationID, over link: Link?)
    func pin(_ name: InstanceName, _ how: PairingWay)
    func countWrongCode()
    /// Makes the peer a member of a session.
    func join(
        _ session: Session,
        as wireSession: SessionID,
        over link: Link,
        wasInvitedHere: Bool,
        _ permissions: Permissions
    ) -> Member

    // Invitations from here
    /// Drops the peer's own invitations for a purpose, because it has accepted one of this machine.
    func dropReceived(for purpose: InvitationPurpose)

    // Invitations from the peer
    func ask(_ invitation: ReceivedInvitation, _ session: SessionID)
    func endQuestion(_ id: InvitationID, because reason: PartingReason?, _ missing: MissingWord?)
    func note(_ word: String, about link: Link, isKnown: Bool, _ details: [AuditEntry.Detail])
    /// The session to which this machine invites the peer, or is about to.
    func ownSession(for purpose: InvitationPurpose) -> Session?
    /// Ends this machine's own invitation in favour of the peer's, and returns its session and its outcome.
    func replaceOwnInvitation(for purpose: InvitationPurpose) -> (session: Session, outcome: Promise<Void>)?
    /// The session of an invitation; it begins if there is none.
    func session(of invite: ControlFrame.Invite) -> Session
}

/// The way in which a machine was paired.
enum PairingWay: String {
    case invited = "invited from here"
    case accepted = "let in by its invitation"

    var label: Label? { try? Label(rawValue) }
}
