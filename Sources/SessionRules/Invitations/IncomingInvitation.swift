public import Vocabulary

/// An invitation that came in, from the frame to the end. `docs/machines/incoming-invitation.md` has its table.
///
/// A machine that is not let in gets the same bytes at the same moments: the receipt, and then only what a person decides. So a silent
/// invitation runs through the same states as an open one; it just asks no one.
///
/// Where a code is needed the person types it here. Nothing that depends on the code goes out before that.
public struct IncomingInvitation: Sendable {
    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// It came, and nothing was said.
        case arrived
        /// The person is asked; no code is needed.
        case asking
        /// The person is asked for the code that the inviter shows.
        case codeWanted
        /// The person has typed a code; the inviter's proof is due.
        case proving
        /// The answer is yes; the inviter has to welcome us.
        case answered
        /// Over: in the session.
        case joined
        /// Over: the answer was no.
        case declined
        /// Over: the inviter took it back.
        case withdrawn
        /// Over: somebody waited too long.
        case timedOut
        /// Over: the link is gone.
        case lost

        /// Whether nothing follows.
        public var isOver: Bool {
            switch self {
            case .arrived, .asking, .codeWanted, .proving, .answered: false
            case .joined, .declined, .withdrawn, .timedOut, .lost: true
            }
        }
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Send InviteReceived.
        case sendReceipt(codeNeeded: Bool)
        /// Ask the person, and for the code where one is needed.
        case ask
        /// Send PairShare, made with this code.
        case sendShare(PairingCode)
        /// Send PairConfirm.
        case sendConfirm
        /// Count a wrong code: see ``LockOut``.
        case countWrongCode
        /// Send InviteAnswer; nil accepts.
        case sendAnswer(PartingReason?)
        /// The session is joined: the inviter's key is to be pinned where `pins` is set.
        case join(pins: Bool)
        /// Send Leave for the session: the yes is void.
        case sendLeave(PartingReason)
        /// It has come to nothing: a question that is open is closed. Nothing is sent.
        case end(PartingReason)
    }

    /// What Invite said, and what is known here about the machine that sent it.
    public struct Opening: Hashable, Sendable {
        /// Whether the inviter has not pinned this machine's key.
        public var codeNeededThere: Bool
        /// Whether the inviter's key is not pinned here.
        public var codeNeededHere: Bool
        /// What the policy makes of it.
        public var verdict: Decision.Verdict

        /// - Parameters:
        ///   - codeNeededThere: as in the frame
        ///   - codeNeededHere: whether the inviter's key is not pinned here, also where the key is blocked
        ///   - verdict: what the policy makes of it
        public init(codeNeededThere: Bool, codeNeededHere: Bool, verdict: Decision.Verdict) {
            self.codeNeededThere = codeNeededThere
            self.codeNeededHere = codeNeededHere
            self.verdict = verdict
        }
    }

    /// How far it has come.
    public internal(set) var state = State.arrived
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?
    /// Whether no one is asked, and nothing but the receipt sent.
    public var isSilent: Bool { opening.verdict == .silence }
    /// Whether this machine has said yes, and it is the other side's turn.
    public var hasSaidYes: Bool { state == .proving || state == .answered }
    /// Which of the two has not pinned the other's key.
    public var codeNeed: CodeNeed { opening.codeNeededThere ? .there : opening.codeNeededHere ? .here : .none }
    private var needsCode: Bool { codeNeed != .none }

    let opening: Opening
    let patience: InvitationPatience

    /// Call ``begin(at:)`` next.
    /// - Parameters:
    ///   - opening: what is known
    ///   - patience: with the inviter's wish for the person
    public init(_ opening: Opening, patience: InvitationPatience) {
        self.opening = opening
        self.patience = patience
    }

    /// The receipt goes out to everybody; what else happens is the policy's word. Once only.
    public mutating func begin(at now: ContinuousClock.Instant) -> [Action] {
        precondition(state == .arrived, "an invitation begins once")
        let receipt = Action.sendReceipt(codeNeeded: opening.codeNeededHere)
        switch opening.verdict {
        case .refuse(let reason): return [receipt, .sendAnswer(reason)] + end(.declined, reason)
        case .accept where !needsCode: return [receipt] + answer(at: now)
        case .accept, .ask, .silence: break
        }
        state = needsCode ? .codeWanted : .asking
        deadline = now + patience.person
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
