public import Vocabulary

/// An invitation that this machine sends, from the request to its end. `docs/machines/outgoing-invitation.md` has its
/// table.
///
/// The first frame that comes back, the receipt, proves the delivery. From then on the user's time counts. The
/// inviter decides last that both are in the session (``Action/join(pins:)``). So an answer that crosses a withdrawal
/// can't leave only one side in it.
///
/// If a code is needed, this machine shows it, and answers one share for it. That answer lets the other side test one
/// code. So from then on every end but the right proof counts as a wrong code (``Action/countWrongCode``). No state
/// leads back to ``State/codeShown``.
public struct OutgoingInvitation: Sendable {
    /// The step that it has reached.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// There is no link yet.
        case connecting
        /// The invitation is sent, and the receipt is due.
        case sent
        /// Delivered. This screen shows the code, and the user types it at the peer.
        case codeShown
        /// The peer has its one answer for the code, and its proof is due.
        case proving
        /// The peer knows the code, and its answer is due.
        case proven
        /// Delivered without a need for a code, and the answer is due.
        case waiting
        /// Over: the peer is in the session.
        case accepted
        /// Over: the peer said no.
        case refused
        /// Over: taken back here, or ended after the wait.
        case withdrawn
        /// Over: the link failed.
        case lost

        /// True if nothing follows.
        public var isOver: Bool {
            switch self {
            case .connecting, .sent, .codeShown, .proving, .proven, .waiting: false
            case .accepted, .refused, .withdrawn, .lost: true
            }
        }
    }

    /// A step that the caller does. Several are done in order.
    public enum Action: Hashable, Sendable {
        /// Send Invite.
        case sendInvite
        /// Report that it has arrived.
        case delivered
        /// Show the code, for the user to type it at the other machine.
        case showCode(PairingCode)
        /// Send PairReply, the answer to the share, made with this code.
        case sendReply(PairingCode)
        /// Count a wrong code: see ``LockOut``.
        case countWrongCode
        /// Send InviteCancel.
        case sendCancel(PartingReason)
        /// The peer is in the session. Send it the members, and pin its key if `pins` is set.
        case join(pins: Bool)
        /// It has failed.
        case end(PartingReason)
    }

    /// The step that it has reached.
    public internal(set) var state = State.connecting
    /// The time at which ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?
    /// True if this side needs the code, as Invite says.
    public let codeNeeded: Bool

    let code: PairingCode
    let patience: InvitationPatience
    /// True if the user has seen the code, which stays the same over another link.
    var isCodeShown = false

    /// - Parameters:
    ///   - code: a new code, for this invitation alone
    ///   - codeNeeded: true if the peer's key is not pinned here
    ///   - patience: the time limits
    ///   - now: the time
    public init(
        code: PairingCode,
        codeNeeded: Bool,
        patience: InvitationPatience = InvitationPatience(),
        at now: ContinuousClock.Instant
    ) {
        self.code = code
        self.codeNeeded = codeNeeded
        self.patience = patience
        deadline = now + patience.link
    }
}

// Events of the link.
extension OutgoingInvitation {
    /// Handles a new link: the invitation is sent, if necessary once more. An answer for the code belongs to one
    /// connection, so the invitation is over if that answer was sent.
    public mutating func linkCameUp(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .connecting, .sent, .codeShown, .waiting:
            state = .sent
            deadline = now + patience.link
            return [.sendInvite]
        case .proving, .proven: return linkLost(.lost)
        case .accepted, .refused, .withdrawn, .lost: return []
        }
    }

    /// Handles a link that could not be made or was lost.
    public mutating func linkLost(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.lost, reason)
    }

    /// Handles the end of the wait.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        return state == .connecting ? end(.lost, .unreachable) : withdraw(.timedOut)
    }

    /// Ends it without a session. A peer that has the answer for the code but sends no proof has tested a code.
    mutating func end(_ state: State, _ reason: PartingReason) -> [Action] {
        let isGuess = self.state == .proving
        close(state)
        return isGuess ? [.countWrongCode, .end(.wrongCode)] : [.end(reason)]
    }

    mutating func close(_ state: State) {
        self.state = state
        deadline = nil
    }
}
