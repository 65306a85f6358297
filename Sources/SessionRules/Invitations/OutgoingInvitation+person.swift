public import Vocabulary

// Decisions of the user, or of a program. They may come at any time, and have no effect if they are too late.
extension OutgoingInvitation {
    /// Takes the invitation back.
    public mutating func withdraw(_ reason: PartingReason = .withdrawn) -> [Action] {
        switch state {
        case .connecting: end(.withdrawn, reason)
        case .sent, .codeShown, .proving, .proven, .waiting: [.sendCancel(reason)] + end(.withdrawn, reason)
        case .accepted, .refused, .withdrawn, .lost: []
        }
    }

    /// Ends the invitation in favour of the peer's one. It sends nothing, because the peer applies the same rule. See
    /// ``CrossedInvitations``.
    public mutating func giveWay() -> [Action] {
        state.isOver ? [] : end(.withdrawn, .replaced)
    }
}
