public import Vocabulary

// What the person says. Nothing comes of it where it is too late; a person's program may say it at any time.
extension OutgoingInvitation {
    /// The person takes it back.
    public mutating func withdraw(_ reason: PartingReason = .withdrawn) -> [Action] {
        switch state {
        case .connecting: end(.withdrawn, reason)
        case .sent, .codeShown, .proving, .proven, .waiting: [.sendCancel(reason)] + end(.withdrawn, reason)
        case .accepted, .refused, .withdrawn, .lost: []
        }
    }

    /// The peer's own invitation takes its place: nothing is sent, because the peer does the same. See
    /// ``CrossedInvitations``.
    public mutating func giveWay() -> [Action] {
        state.isOver ? [] : end(.withdrawn, .replaced)
    }
}
