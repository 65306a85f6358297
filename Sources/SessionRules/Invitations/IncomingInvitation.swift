public import Vocabulary

/// An invitation that came in, from the frame to the end. `docs/machines/incoming-invitation.md` has its table.
///
/// Whoever is not let in gets the same bytes at the same moments: the nonce, and then only what a person decides. So a silent
/// invitation runs through the same states as an open one; it just asks nobody.
public struct IncomingInvitation: Sendable {
    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The nonce was sent; the inviter has to reveal its own.
        case awaitingReveal
        /// The person is asked; no code is needed.
        case asking
        /// The person is asked, with the code.
        case codeShown
        /// The person here has confirmed the code.
        case confirmedHere
        /// The person there has confirmed the code.
        case confirmedThere
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

        /// Whether nothing follows any more.
        public var isOver: Bool {
            switch self {
            case .awaitingReveal, .asking, .codeShown, .confirmedHere, .confirmedThere, .answered: false
            case .joined, .declined, .withdrawn, .timedOut, .lost: true
            }
        }
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Send PairNonce.
        case sendNonce(PairingNonce, codeNeeded: Bool)
        /// Ask the person, with the code where one is needed.
        case ask(PairingCode?)
        /// Send PairConfirm.
        case sendConfirm
        /// Send InviteAnswer; nil accepts.
        case sendAnswer(PartingReason?)
        /// The session is joined: the inviter's key is to be pinned where `pins` is set.
        case join(pins: Bool)
        /// Send Leave for the session: the yes is void.
        case sendLeave(PartingReason)
        /// It has come to nothing: a question that is open is closed. Nothing is sent.
        case end(PartingReason)
    }

    /// What Invite said, and what is known here about who sent it.
    public struct Opening: Sendable {
        /// What the inviter bound itself to.
        public var commitment: PairingCommitment
        /// Whether the inviter has not pinned this machine's key.
        public var codeNeededThere: Bool
        /// Whether the inviter's key is not pinned here.
        public var codeNeededHere: Bool
        /// What the policy makes of it.
        public var verdict: Decision.Verdict

        /// - Parameters:
        ///   - commitment: as in the frame
        ///   - codeNeededThere: as in the frame
        ///   - codeNeededHere: whether the inviter's key is not pinned here, also where the key is blocked
        ///   - verdict: what the policy makes of it
        public init(
            commitment: PairingCommitment,
            codeNeededThere: Bool,
            codeNeededHere: Bool,
            verdict: Decision.Verdict
        ) {
            self.commitment = commitment
            self.codeNeededThere = codeNeededThere
            self.codeNeededHere = codeNeededHere
            self.verdict = verdict
        }
    }

    /// How far it has come.
    public internal(set) var state = State.awaitingReveal
    /// What both screens show, once both nonces are known.
    public internal(set) var code: PairingCode?
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?
    /// Whether nobody is asked, and nothing but the nonce sent.
    public var isSilent: Bool { opening.verdict == .silence }
    /// Whether this machine has said yes, and it is the other side's turn.
    public var hasSaidYes: Bool { state == .confirmedHere || state == .answered }
    /// Whether one of the two has not pinned the other's key.
    public var needsCode: Bool { opening.codeNeededThere || opening.codeNeededHere }

    let recipe: PairingRecipe
    let opening: Opening
    let patience: InvitationPatience
    let binding: [UInt8]
    let nonce: PairingNonce
    let personDeadline: ContinuousClock.Instant

    /// Call ``begin(at:)`` next.
    /// - Parameters:
    ///   - opening: what is known
    ///   - recipe: with this machine as the invited
    ///   - binding: what TLS exports of the control lane for "EXPORTER-huddle-pairing"
    ///   - nonce: a fresh one
    ///   - patience: with the inviter's wish for the person
    ///   - now: the time
    public init(
        _ opening: Opening,
        _ recipe: PairingRecipe,
        binding: [UInt8],
        nonce: PairingNonce,
        patience: InvitationPatience,
        at now: ContinuousClock.Instant
    ) {
        self.opening = opening
        self.recipe = recipe
        self.binding = binding
        self.nonce = nonce
        self.patience = patience
        personDeadline = now + patience.person
    }

    /// The nonce goes out to everybody; what else happens is the policy's word. Once only.
    public mutating func begin(at now: ContinuousClock.Instant) -> [Action] {
        precondition(state == .awaitingReveal && deadline == nil, "an invitation begins once")
        let receipt = Action.sendNonce(nonce, codeNeeded: opening.codeNeededHere)
        switch opening.verdict {
        case .refuse(let reason): return [receipt, .sendAnswer(reason)] + end(.declined, reason)
        case .accept where !needsCode: return [receipt] + answer(at: now)
        case .accept, .ask, .silence: break
        }
        guard !needsCode else {
            deadline = now + patience.link
            return [receipt]
        }
        return [receipt] + question(.asking)
    }

    mutating func question(_ state: State) -> [Action] {
        self.state = state
        deadline = personDeadline
        return isSilent ? [] : [.ask(code)]
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
