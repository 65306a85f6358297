public import SessionRules
public import Vocabulary

/// An event of a node that belongs to no single session.
public enum NodeEvent: Sendable {
    /// A peer invites this machine into a session, and the user must decide: see ``Node/answer(_:_:)``.
    case invited(ReceivedInvitation)
    /// An invitation needs no answer now. If time ran out, the missing word is named.
    case invitationOver(InvitationID, PartingReason, MissingWord?)
    /// An invitation of this machine has arrived at the peer.
    case delivered(InvitationID, PeerID)
    /// The two machines pair: the user types this code at the peer.
    case code(InvitationID, PeerID, InstanceName, PairingCode)
    /// The invitation of a peer is accepted: this machine is in that session now.
    case joined(Session, by: PeerID)
    /// The invitation of a peer, about which the user was asked, is accepted. The peer is in a session that began on
    /// this machine: the two had invited each other.
    case letIntoOwn(InvitationID, Session, by: PeerID)
    /// There is a link to a peer.
    case linked(PeerID, InstanceName)
    /// The link has ended.
    case unlinked(PeerID, PartingReason)
    /// A machine has come into sight or gone out of it, or what is known of one may have changed.
    case machinesChanged
    /// A machine uses the name of a known one, and has another key.
    case keyChanged(InstanceName, known: PeerID, now: PeerID)
    /// This machine and the others can find each other now, or no longer can.
    case visibility(Visibility)
    /// An error that no call could report.
    case trouble(any ExplainedError)
}

/// The number of events that may wait for the reader.
private let unreadLimit = 1024

extension EventQueue<NodeEvent> {
    func report(_ event: NodeEvent) {
        if count < unreadLimit { add(event) }
    }

    /// Reports an event that any machine on the network can cause. Such events must not take the room of the important
    /// ones.
    func reportLink(_ event: NodeEvent) {
        if count < unreadLimit / 2 { add(event) }
    }
}

/// An invitation that waits for the user.
public struct ReceivedInvitation: Hashable, Sendable {
    /// The id of the invitation.
    public let id: InvitationID
    /// The inviter.
    public let peer: PeerID
    /// The inviter's name for itself.
    public let name: InstanceName
    /// The name of the session.
    public let sessionName: Label
    /// The inviter's bytes for the program. The inviter may be an unknown machine.
    public let context: [UInt8]
    /// The need to type the code that the inviter shows. Paired machines need none.
    public let codeNeed: CodeNeed
    /// The session of this machine that the peer would join, if this machine invites it as well.
    public let ownSession: SessionID?
    /// The moment after which an answer no longer counts.
    public let deadline: ContinuousClock.Instant
}
