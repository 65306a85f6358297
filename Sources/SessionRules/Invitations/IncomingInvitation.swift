public import Vocabulary

/// An invitation that comes in, from its frame to its end. `docs/machines/incoming-invitation.md` has its table.
///
/// A refused machine gets the same bytes at the same moments as others: the receipt, and then only the user's answer.
/// So a silent invitation has the same states as an open one, but asks no user.
///
/// If a code is needed, the user types it here. Nothing that depends on the code is sent before that.
public struct IncomingInvitation: Sendable {
    /// The step that it has reached.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// It came, and nothing was sent.
        case arrived
        /// The user is asked; no code is needed.
        case asking
        /// The user is asked for the code that the inviter shows.
        case codeWanted
        /// The user has typed a code, and the inviter's proof is due.
        case proving
        /// The answer is yes, and the inviter's welcome is due.
        case answered
        /// Over: in the session.
        case joined
        /// Over: the answer was no.
        case declined
        /// Over: the inviter took it back.
        case withdrawn
        /// Over: a wait was too long.
        case timedOut
        /// Over: the link is gone.
        case lost

        /// True if nothing follows.
        public var isOver: Bool {
            switch self {
            case .arrived, .asking, .codeWanted, .proving, .answered: false
            case .joined, .declined, .withdrawn, .timedOut, .lost: true
            }
        }
    }

    /// A step that the caller does. Several are done in order.
    public enum Action: Hashable, Sendable {
        /// Send InviteReceived.
        case sendReceipt(codeNeeded: Bool)
        /// Ask the user, also for the code if one is needed.
        case ask
        /// Send PairShare, made with this code.
        case sendShare(PairingCode)
        /// Send PairConfirm.
        case sendConfirm
        /// Count a wrong code: see ``LockOut``.
        case countWrongCode
        /// Send InviteAnswer; nil accepts.
        case sendAnswer(PartingReason?)
        /// The session is joined. If `pins` is set, pin the inviter's key.
        case join(pins: Bool)
        /// Send Leave for the session, since the yes no longer counts.
        case sendLeave(PartingReason)
        /// It has failed. Close an open question, and send nothing.
        case end(PartingReason)
    }

    /// The contents of Invite, and the facts about the machine that sent it.
    public struct Opening: Hashable, Sendable {
        /// True if the inviter has not pinned this machine's key.
        public var codeNeededThere: Bool
        /// True if the inviter's key is not pinned here.
        public var codeNeededHere: Bool
        /// The policy's decision.
        public var verdict: Decision.Verdict

        /// - Parameters:
        ///   - codeNeededThere: as in the frame
        ///   - codeNeededHere: true if the inviter's key is not pinned here, or if it is blocked
        ///   - verdict: the policy's decision
        public init(codeNeededThere: Bool, codeNeededHere: Bool, verdict: Decision.Verdict) {
            self.codeNeededThere = codeNeededThere
            self.codeNeededHere = codeNeededHere
            self.verdict = verdict
        }
    }

    /// The step that it has reached.
    public internal(set) var state = State.arrived
    /// The time at which ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?
    /// True if no user is asked, and only the receipt is sent.
    public var isSilent: Bool { opening.verdict == .silence }
    /// True if this machine has said yes and waits for the other side.
    public var hasSaidYes: Bool { state == .proving || state == .answered }
    /// The side that has not pinned the other's key.
    public var codeNeed: CodeNeed { opening.codeNeededThere ? .there : opening.codeNeededHere ? .here : .none }
    private var needsCode: Bool { codeNeed != .none }

    let opening: Opening
    let patience: InvitationPatience

    /// An invitation that has just come. Call ``begin(at:)`` next.
    ///
    /// - Parameters:
    ///   - opening: its contents and the facts
    ///   - patience: the time limits, with the inviter's wish for the user's time
    public init(_ opening: Opening, patience: InvitationPatience) {
        self.opening = opening
        self.patience = patience
    }

    /// Begins once. Each inviter gets the receipt, and the policy decides the rest.
    public mutating func begin(at now: ContinuousClock.Instant) -> [Action] {
        precondition(state == .arrived, "an invitation begins once")
        let receipt = Action.sendReceipt(codeNeeded: opening.codeNeededHere)
        switch opening.verdict {
        case .refuse(let reason): return [receipt, .sendAnswer(reason)] + end(.declined, reason)
        case .accept where !needsCode: return [receipt] + answer(at: now)
        case .accept, .ask, .silence: break
        }
        state = needsCode ? .codeWanted : .asking
        deadline = now + patience.answer
        return isSilent ? [receipt] : [receipt, .ask]
    }

    mutating func answer(at now: ContinuousClock.Instant) -> [Action] {
        state = .answered
        deadline = now + patience.link
        return [.sendAnswer(nil)]
    }

    mutating func end(_ state: State, _ reason: PartingReason) -> [Action] {
        self.state = state
        deadline = nil
        return [.end(reason)]
    }
}
