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
    public private(set) var state = State.awaitingReveal
    /// What both screens show, once both nonces are known.
    public private(set) var code: PairingCode?
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public private(set) var deadline: ContinuousClock.Instant?
    /// Whether nobody is asked, and nothing but the nonce sent.
    public var isSilent: Bool { opening.verdict == .silence }
    /// Whether one of the two has not pinned the other's key.
    public var needsCode: Bool { opening.codeNeededThere || opening.codeNeededHere }

    private let recipe: PairingRecipe
    private let opening: Opening
    private let patience: InvitationPatience
    private let binding: [UInt8]
    private let nonce: PairingNonce
    private let personDeadline: ContinuousClock.Instant

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

    private mutating func question(_ state: State) -> [Action] {
        self.state = state
        deadline = personDeadline
        return isSilent ? [] : [.ask(code)]
    }

    private mutating func answer(at now: ContinuousClock.Instant) -> [Action] {
        state = .answered
        deadline = now + patience.link
        return [.sendAnswer(nil)]
    }

    private mutating func end(_ state: State, _ reason: PartingReason) -> [Action] {
        self.state = state
        deadline = nil
        return [.end(reason)]
    }
}

// What the inviter says.
extension IncomingInvitation {
    /// PairReveal came. Frames that cross an end from this side come to nothing.
    public mutating func receivedReveal(_ revealed: PairingNonce) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingReveal:
            guard recipe.commitment(to: revealed) == opening.commitment else {
                throw ProtocolViolation("invitation.other-nonce", "the peer revealed what it had not committed to")
            }
            code = recipe.code(inviterNonce: revealed, invitedNonce: nonce, binding: binding)
            return question(.codeShown)
        case .asking, .codeShown, .confirmedHere, .confirmedThere, .answered, .joined, .withdrawn:
            throw ProtocolViolation("invitation.unexpected-reveal", "the peer revealed a nonce that nobody waits for")
        case .declined, .timedOut, .lost: return []
        }
    }

    /// PairConfirm came: the person there has confirmed the code.
    public mutating func receivedConfirm(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .codeShown:
            state = .confirmedThere
            return []
        case .confirmedHere: return answer(at: now)
        case .awaitingReveal, .asking, .confirmedThere, .answered, .joined, .withdrawn:
            throw ProtocolViolation("invitation.unexpected-confirm", "the peer confirmed a code that is not shown")
        case .declined, .timedOut, .lost: return []
        }
    }

    /// InviteCancel came.
    public mutating func receivedCancel(_ reason: PartingReason) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .awaitingReveal, .asking, .codeShown, .confirmedHere, .confirmedThere, .answered:
            return end(.withdrawn, reason)
        case .joined, .withdrawn:
            throw ProtocolViolation("invitation.unexpected-cancel", "the peer took back what is settled")
        case .declined, .timedOut, .lost: return []
        }
    }

    /// The members of the session came: the inviter counts us in.
    public mutating func receivedWelcome() throws(ProtocolViolation) -> [Action] {
        switch state {
        case .answered:
            state = .joined
            deadline = nil
            return [.join(pins: needsCode)]
        case .awaitingReveal, .asking, .codeShown, .confirmedHere, .confirmedThere, .withdrawn:
            throw ProtocolViolation("invitation.unexpected-welcome", "the peer welcomed somebody who had not said yes")
        case .joined, .declined, .timedOut, .lost: return []
        }
    }

    /// The link is gone, or another one has taken its place; then the inviter invites again over that.
    public mutating func linkLost(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.lost, reason)
    }
}

// What the person says. Nothing comes of it where it is too late or too early; a person's program may say it at any time.
extension IncomingInvitation {
    /// Yes; where a code is shown, it is the same on both screens.
    public mutating func confirm(at now: ContinuousClock.Instant) -> [Action] {
        guard !isSilent else { return [] }
        switch state {
        case .asking: return answer(at: now)
        case .confirmedThere: return [.sendConfirm] + answer(at: now)
        case .codeShown:
            state = .confirmedHere
            return [.sendConfirm]
        case .awaitingReveal, .confirmedHere, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }

    /// The person typed the code of the other screen. A wrong one ends the invitation and counts: see ``LockOut``.
    public mutating func typed(_ typed: PairingCode, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .codeShown, .confirmedThere: typed == code ? confirm(at: now) : decline(.wrongCode)
        case .awaitingReveal, .asking, .confirmedHere, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: []
        }
    }

    /// No. Once the yes is out it is too late; then one leaves the session.
    public mutating func decline(_ reason: PartingReason = .declined) -> [Action] {
        guard !isSilent else { return [] }
        switch state {
        case .asking, .codeShown, .confirmedHere, .confirmedThere:
            return [.sendAnswer(reason)] + end(.declined, reason)
        case .awaitingReveal, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }

    /// Time is up. Only who has said something already says that it is over.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .awaitingReveal, .asking, .codeShown, .confirmedThere: return end(.timedOut, .timedOut)
        case .confirmedHere: return [.sendAnswer(.timedOut)] + end(.timedOut, .timedOut)
        case .answered: return [.sendLeave(.timedOut)] + end(.timedOut, .timedOut)
        case .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }
}
