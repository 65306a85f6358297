public import Vocabulary

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

    /// Whether inviting the inviter is the answer to this invitation, so that none of one's own is sent. See ``CrossedInvitations``.
    ///
    /// - Parameter isTold: whether a person has been told of it. Then the yes is that person's to say; but one that has been said holds, and an own
    ///   invitation behind it would reach a peer that has joined the two already, and begin a second session.
    public func isAnsweredByInviting(isTold: Bool) -> Bool {
        !isSilent && (!isTold || hasSaidYes)
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
