public import Vocabulary

// Frames of the inviter.
extension IncomingInvitation {
    /// Handles PairReply. A wrong one means a mistyped code, or a machine in between that has used its only guess.
    ///
    /// - Parameter isRight: true if it proves that the inviter shows the code that the user typed here
    public mutating func receivedReply(
        isRight: Bool,
        at now: ContinuousClock.Instant
    ) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .proving:
            guard isRight else {
                return [.countWrongCode, .sendAnswer(.wrongCode)] + end(.declined, .wrongCode)
            }
            return [.sendConfirm] + answer(at: now)
        case .arrived, .asking, .codeWanted, .answered, .joined, .withdrawn:
            throw ProtocolViolation("invitation.unexpected-reply", "the peer answered a code that was not typed yet")
        case .declined, .timedOut, .lost: return []
        }
    }

    /// Handles InviteCancel.
    public mutating func receivedCancel(_ reason: PartingReason) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .arrived, .asking, .codeWanted, .proving, .answered: return end(.withdrawn, reason)
        case .joined, .withdrawn:
            throw ProtocolViolation("invitation.unexpected-cancel", "the peer took back an invitation that has ended")
        case .declined, .timedOut, .lost: return []
        }
    }

    /// Handles the list of members, by which the inviter confirms that this machine is in the session.
    public mutating func receivedWelcome() throws(ProtocolViolation) -> [Action] {
        switch state {
        case .answered:
            state = .joined
            deadline = nil
            return [.join(pins: codeNeed != .none)]
        case .arrived, .asking, .codeWanted, .proving, .withdrawn:
            throw ProtocolViolation(
                "invitation.unexpected-welcome",
                "the peer welcomed a machine that had not said yes"
            )
        case .joined, .declined, .timedOut, .lost: return []
        }
    }

    /// Handles the loss of the link. If another link replaces it, an answered invitation waits over that one instead.
    /// The inviter sends any other invitation again.
    public mutating func linkLost(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.lost, reason)
    }
}
