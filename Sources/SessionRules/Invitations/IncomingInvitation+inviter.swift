public import Vocabulary

// What the inviter says.
extension IncomingInvitation {
    /// PairReply came. A wrong one is a code that was mistyped, or a machine in between that had its only guess.
    /// - Parameter isRight: whether it proves that the inviter shows the code that was typed here
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
            throw ProtocolViolation("invitation.unexpected-reply", "the peer answered a code that no one has typed")
        case .declined, .timedOut, .lost: return []
        }
    }

    /// InviteCancel came.
    public mutating func receivedCancel(_ reason: PartingReason) throws(ProtocolViolation) -> [Action] {
        switch state {
        case .arrived, .asking, .codeWanted, .proving, .answered: return end(.withdrawn, reason)
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
            return [.join(pins: codeNeed != .none)]
        case .arrived, .asking, .codeWanted, .proving, .withdrawn:
            throw ProtocolViolation(
                "invitation.unexpected-welcome",
                "the peer welcomed a machine that had not said yes"
            )
        case .joined, .declined, .timedOut, .lost: return []
        }
    }

    /// The link is gone, or another one has taken its place; then the inviter invites again over that.
    public mutating func linkLost(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.lost, reason)
    }
}
