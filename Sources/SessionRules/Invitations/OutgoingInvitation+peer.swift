public import Vocabulary

// What the peer says.
extension OutgoingInvitation {
    /// PairNonce came: the invitation was delivered.
    public mutating func receivedNonce(
        _ nonce: PairingNonce,
        codeNeeded codeNeededThere: Bool,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .sent:
            deadline = now + patience.person + patience.grace
            guard codeNeeded || codeNeededThere, let exchange else {
                state = .waiting
                return [.delivered]
            }
            let code = recipe.code(inviterNonce: exchange.nonce, invitedNonce: nonce, binding: exchange.binding)
            self.code = code
            state = .codeShown
            return [.sendReveal(exchange.nonce), .delivered, .showCode(code)]
        case .connecting, .codeShown, .confirmedHere, .confirmedThere, .confirmedByBoth, .waiting, .accepted, .refused:
            throw ProtocolViolation("invitation.unexpected-nonce", "the peer sent a nonce that nobody waits for")
        case .withdrawn, .lost: return []
        }
    }

    /// PairConfirm came: the person there has confirmed the code.
    public mutating func receivedConfirm() throws(ProtocolViolation) -> [Action] {
        switch state {
        case .codeShown: state = .confirmedThere
        case .confirmedHere: state = .confirmedByBoth
        case .connecting, .sent, .confirmedThere, .confirmedByBoth, .waiting, .accepted, .refused:
            throw ProtocolViolation("invitation.unexpected-confirm", "the peer confirmed a code that is not shown")
        case .withdrawn, .lost: break
        }
        return []
    }

    /// InviteAnswer came.
    /// - Parameter refusal: nil where the peer accepts
    public mutating func receivedAnswer(_ refusal: PartingReason?) throws(ProtocolViolation) -> [Action] {
        switch (state, refusal) {
        case (.withdrawn, _), (.lost, _): return []
        case (.waiting, nil): return join(pins: false)
        case (.confirmedByBoth, nil): return join(pins: true)
        case (.codeShown, nil), (.confirmedHere, nil), (.confirmedThere, nil):
            throw ProtocolViolation("invitation.unconfirmed", "the peer accepted before the code was confirmed")
        case (.codeShown, let reason?), (.confirmedHere, let reason?), (.confirmedThere, let reason?),
            (.confirmedByBoth, let reason?), (.waiting, let reason?):
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
