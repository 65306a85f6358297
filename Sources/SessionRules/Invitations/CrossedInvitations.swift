public import Vocabulary

/// The rule for two invitations that two peers send each other at the same moment. They become one session.
///
/// The invitation of the smaller ID survives. Both sides apply the same rule, so they need no message about it. The
/// loser's ``OutgoingInvitation/giveWay()`` sends nothing, and the winner drops the loser's Invite without a nonce. An
/// inviter has said yes, so the loser treats the survivor as accepted by policy (``Decision/Verdict/accept``). The user
/// confirms only the code, if one is needed.
///
/// Two invitations cross if the peer's one arrives before this machine's own one is over. The other order is no
/// crossing: if the peer's invitation is open already, an invitation of this machine is the yes to it
/// (``IncomingInvitation/isAnsweredByInviting(isTold:)``). If the user is being asked about it, this machine's
/// invitation is sent and crosses that question. If the user says yes and the peer then sends the welcome, the peer
/// has dropped this machine's invitation.
public struct CrossedInvitations: Hashable, Sendable {
    /// One of the two.
    public struct Side: Hashable, Sendable {
        /// The peer that invites.
        public var inviter: PeerID
        /// Its invitation.
        public var invitation: InvitationID
        /// The session that it invites to.
        public var session: SessionID

        /// One side with these values.
        public init(inviter: PeerID, invitation: InvitationID, session: SessionID) {
            self.inviter = inviter
            self.invitation = invitation
            self.session = session
        }
    }

    /// The invitation of this machine.
    public let own: Side
    /// The invitation of the peer.
    public let theirs: Side

    /// - Parameters:
    ///   - own: the invitation that this machine sends
    ///   - theirs: the invitation that came in
    public init(own: Side, theirs: Side) {
        precondition(own.inviter != theirs.inviter, "an invitation can't cross itself")
        self.own = own
        self.theirs = theirs
    }

    /// True if this machine's invitation loses. Otherwise theirs is dropped without an answer.
    public var ownGivesWay: Bool { theirs.inviter < own.inviter }

    /// The side whose invitation and session remain for both.
    public var survivor: Side { ownGivesWay ? theirs : own }
}
