public import Vocabulary

/// An invitation that this machine sends, from the wish to the end. `docs/machines/outgoing-invitation.md` has its table.
///
/// The first frame that comes back, the receipt, proves that the invitation was delivered: from then on the person's time
/// counts. The inviter has the last word: it says that both are in the session (``Action/join(pins:)``), so an answer that
/// crosses a withdrawal can't leave one side in and the other out.
///
/// Where a code is needed this machine shows it, and answers one share for it. That answer lets the other side test one code, so from then on
/// every end but the right proof counts as a wrong code (``Action/countWrongCode``). There is no way back to ``State/codeShown``.
public struct OutgoingInvitation: Sendable {
    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// There is no link yet.
        case connecting
        /// The invitation is on its way; the peer has not shown yet that it has it.
        case sent
        /// Delivered; this screen shows the code, and the person types it there.
        case codeShown
        /// The peer has its one answer for the code; its proof is due.
        case proving
        /// The peer knows the code; its answer is due.
        case proven
        /// Delivered, no code needed; the answer is due.
        case waiting
        /// Over: the peer is in.
        case accepted
        /// Over: the peer said no.
        case refused
        /// Over: taken back here, or given up after waiting.
        case withdrawn
        /// Over: the link failed.
        case lost

        /// Whether nothing follows.
        public var isOver: Bool {
            switch self {
            case .connecting, .sent, .codeShown, .proving, .proven, .waiting: false
            case .accepted, .refused, .withdrawn, .lost: true
            }
        }
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Send Invite.
        case sendInvite
        /// Tell the person that it has arrived.
        case delivered
        /// Show the code, for the person to type it at the other machine.
        case showCode(PairingCode)
        /// Send PairReply: the answer to the share that came, made with this code.
        case sendReply(PairingCode)
        /// Count a wrong code: see ``LockOut``.
        case countWrongCode
        /// Send InviteCancel.
        case sendCancel(PartingReason)
        /// The peer is in the session: send it the members, and pin its key where `pins` is set.
        case join(pins: Bool)
        /// It has come to nothing.
        case end(PartingReason)
    }

    /// How far it has come.
    public internal(set) var state = State.connecting
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?
    /// Whether this side needs the code, as Invite says.
    public let codeNeeded: Bool

    let code: PairingCode
    let patience: InvitationPatience
    /// Whether the person has seen the code, which stays the same over another link.
    var isCodeTold = false

    /// - Parameters:
    ///   - code: a fresh one, for this invitation alone
    ///   - codeNeeded: whether the peer's key is not pinned here
    ///   - patience: how long to wait
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

// What the link says.
extension OutgoingInvitation {
    /// There is a link, or another one has taken its place: the invitation is sent, again if need be. An answer for the code binds to one
    /// connection, so where that has been given the invitation is over.
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

    /// The link could not be made, or it is gone.
    public mutating func linkLost(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.lost, reason)
    }

    /// Time is up.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        return state == .connecting ? end(.lost, .unreachable) : withdraw(.timedOut)
    }

    /// The end without a session. The peer that has its answer for the code and gives no proof has tested one.
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
