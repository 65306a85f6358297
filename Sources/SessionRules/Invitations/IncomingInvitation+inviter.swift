public import Vocabulary

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
