public import Vocabulary

/// What becomes of two invitations that the same two peers send each other at the same moment: one session, not two.
///
/// The invitation of the smaller id survives, on both sides by the same rule, so nobody has to ask. The loser's
/// ``OutgoingInvitation/giveWay()`` sends nothing, the winner drops the loser's Invite without a nonce. Who invites has
/// said yes: the loser treats the survivor as accepted by policy (``Decision/Verdict/accept``), and only a code that is
/// needed is still confirmed by a person.
///
/// Crossed are two invitations while the own one is not over, at whatever stage. The other order is no crossing: who wants
/// to invite somebody whose invitation is open already says yes to that one instead (``IncomingInvitation/isAnsweredByInviting(isTold:)``).
/// Where a person is being asked, the own one goes out and crosses that question: should the person say yes, and the peer welcome this machine
/// for it, then the peer has dropped the own one.
public struct CrossedInvitations: Hashable, Sendable {
    /// One of the two.
    public struct Side: Hashable, Sendable {
        /// Who invites.
        public var inviter: PeerID
        /// Its invitation.
        public var invitation: InvitationID
        /// The session that it invites to.
        public var session: SessionID

        /// Takes the three as they are.
        public init(inviter: PeerID, invitation: InvitationID, session: SessionID) {
            self.inviter = inviter
            self.invitation = invitation
            self.session = session
        }
    }

    /// The invitation of this machine.
    public let own: Side
    /// That of the peer.
    public let theirs: Side

    /// - Parameters:
    ///   - own: sent here, or about to be
    ///   - theirs: what came in
    public init(own: Side, theirs: Side) {
        precondition(own.inviter != theirs.inviter, "nobody crosses its own invitation")
        self.own = own
        self.theirs = theirs
    }

    /// Whether the own invitation gives way to theirs; otherwise theirs is dropped without a word.
    public var ownGivesWay: Bool { theirs.inviter < own.inviter }

    /// What is left: its invitation, and its session for both.
    public var survivor: Side { ownGivesWay ? theirs : own }
}
