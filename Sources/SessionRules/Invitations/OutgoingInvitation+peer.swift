public import Vocabulary

// Frames of the peer.
extension OutgoingInvitation {
    /// Handles InviteReceived, which proves the delivery.
    public mutating func receivedReceipt(
        codeNeeded codeNeededThere: Bool,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .sent:
            deadline = now + patience.answer + patience.grace
            guard codeNeeded || codeNeededThere else {
                state = .waiting
                return [.delivered]
            }
            state = .codeShown
            defer { isCodeShown = true }
            return isCodeShown ? [] : [.delivered, .showCode(code)]
        case .connecting, .codeShown, .proving, .proven, .waiting, .accepted, .refused:
            throw ProtocolViolation("invitation.unexpected-receipt", "the peer said twice that it has the invitation")
        case .withdrawn, .lost: return []
        }
    }

    /// Handles PairShare: the other user has typed a code. Only the first share of an invitation gets an answer.
    public mutating func receivedShare(at now: ContinuousClock.Instant) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .codeShown:
            state = .proving
            deadline = now + patience.link
            return [.sendReply(code)]
        case .connecting, .sent, .proving, .proven, .waiting, .accepted, .refused:
            throw ProtocolViolation("invitation.unexpected-share", "the peer tried a code out of turn, or twice")
        case .withdrawn, .lost: return []
        }
    }

    /// Handles PairConfirm.
    ///
    /// - Parameter isRight: true if it proves that the peer knows the code
    public mutating func receivedConfirm(
        isRight: Bool,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .proving:
            guard isRight else { return withdraw(.wrongCode) }
            state = .proven
            deadline = now + patience.link
            return []
        case .connecting, .sent, .codeShown, .proven, .waiting, .accepted, .refused:
            throw ProtocolViolation("invitation.unexpected-confirm", "the peer confirmed a code out of turn")
        case .withdrawn, .lost: return []
        }
    }

    /// Handles InviteAnswer.
    ///
    /// - Parameter refusal: the reason; nil if the peer accepts
    public mutating func receivedAnswer(_ refusal: PartingReason?) throws(ProtocolViolation) -> [Action] {
        switch (state, refusal) {
        case (.withdrawn, _), (.lost, _): return []
        case (.waiting, nil): return join(pins: false)
        // The other user trusts this machine's key itself, which is enough if this side wants no code.
        case (.codeShown, nil) where !codeNeeded: return join(pins: false)
        case (.proven, nil): return join(pins: true)
        case (.codeShown, nil), (.proving, nil):
            throw ProtocolViolation("invitation.unproven", "the peer accepted before it had proved the code")
        case (.codeShown, let reason?), (.proving, let reason?), (.proven, let reason?), (.waiting, let reason?):
            return end(.refused, reason)
        case (.connecting, _), (.sent, _), (.accepted, _), (.refused, _):
            throw ProtocolViolation("invitation.unexpected-answer", "the peer answered out of turn, or twice")
        }
    }

    private mutating func join(pins: Bool) -> [Action] {
        close(.accepted)
        return [.join(pins: pins)]
    }
}
