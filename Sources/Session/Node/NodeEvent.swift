public import SessionRules
public import Vocabulary

/// What happens at a node that is not about one session.
public enum NodeEvent: Sendable {
    /// Somebody asks this machine into a session, and a person has to decide: see ``Node/answer(_:_:)``.
    case invited(ReceivedInvitation)
    /// That question needs no answer any more; where time ran out, whose word was missing.
    case invitationOver(InvitationID, PartingReason, MissingWord?)
    /// An invitation from here has arrived there.
    case delivered(InvitationID, PeerID)
    /// A first meeting: the person types this code at the peer.
    case code(InvitationID, PeerID, InstanceName, PairingCode)
    /// Somebody was let in: this machine is in that session now.
    case joined(Session, by: PeerID)
    /// Somebody about whom a person was asked was let in, and is in a session that began here: the two had invited each other.
    case letIntoOwn(InvitationID, Session, by: PeerID)
    /// There is a link to a peer.
    case linked(PeerID, InstanceName)
    /// The link is gone.
    case unlinked(PeerID, PartingReason)
    /// A known name has come with another key.
    case keyChanged(InstanceName, known: PeerID, now: PeerID)
    /// This machine and the others can find each other now, or can't any more.
    case visibility(Visibility)
    /// Something went wrong that no call could report.
    case trouble(any ExplainedError)
}

/// An invitation that waits for a person.
public struct ReceivedInvitation: Hashable, Sendable {
    /// Names it.
    public let id: InvitationID
    /// Who invites.
    public let peer: PeerID
    /// What the inviter calls itself.
    public let name: InstanceName
    /// What the session is called.
    public let sessionName: Label
    /// What the inviter says beside it. It is a stranger's word.
    public let context: [UInt8]
    /// Whether the person has to type the code that the inviter shows; not where the two have met before.
    public let codeNeed: CodeNeed
    /// The session that began here and that the peer would be in, where this machine invites it as well.
    public let ownSession: SessionID?
    /// Until when an answer counts.
    public let deadline: ContinuousClock.Instant
}
