public import Vocabulary

// What the person says. Nothing comes of it where it is too late or too early; a person's program may say it at any time.
extension OutgoingInvitation {
    /// The other screen shows the same code.
    public mutating func confirm() -> [Action] {
        switch state {
        case .codeShown: state = .confirmedHere
        case .confirmedThere: state = .confirmedByBoth
        case .connecting, .sent, .confirmedHere, .confirmedByBoth, .waiting, .accepted, .refused, .withdrawn, .lost:
            return []
        }
        return [.sendConfirm]
    }

    /// The person typed the code of the other screen. A wrong one ends the invitation and counts: see ``LockOut``.
    public mutating func typed(_ typed: PairingCode) -> [Action] {
        switch state {
        case .codeShown, .confirmedThere: typed == code ? confirm() : withdraw(.wrongCode)
        case .connecting, .sent, .confirmedHere, .confirmedByBoth, .waiting, .accepted, .refused, .withdrawn, .lost:
            []
        }
    }

    /// The person takes it back.
    public mutating func withdraw(_ reason: PartingReason = .withdrawn) -> [Action] {
        switch state {
        case .connecting: end(.withdrawn, reason)
        case .sent, .codeShown, .confirmedHere, .confirmedThere, .confirmedByBoth, .waiting:
            [.sendCancel(reason)] + end(.withdrawn, reason)
        case .accepted, .refused, .withdrawn, .lost: []
        }
    }

    /// The peer's own invitation takes its place: nothing is sent, because the peer does the same. See
    /// ``CrossedInvitations``.
    public mutating func giveWay() -> [Action] {
        state.isOver ? [] : end(.withdrawn, .replaced)
    }
}
