public import Vocabulary

// Answers of the user, or of a program. They may come at any time, and have no effect if they are too late or too
// early.
extension IncomingInvitation {
    /// Accepts without a code. If a code is needed, the user trusts the key itself. That counts only if the inviter
    /// wants no code.
    public mutating func accept(at now: ContinuousClock.Instant) -> [Action] {
        guard !isSilent else { return [] }
        switch state {
        case .asking: return answer(at: now)
        case .codeWanted: return codeNeed != .there ? answer(at: now) : []
        case .arrived, .proving, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }

    /// Takes the code that the inviter shows and the user has typed.
    public mutating func typed(_ code: PairingCode, at now: ContinuousClock.Instant) -> [Action] {
        guard !isSilent else { return [] }
        switch state {
        case .asking: return answer(at: now)
        case .codeWanted:
            state = .proving
            deadline = now + patience.link
            return [.sendShare(code)]
        case .arrived, .proving, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }

    /// Returns true if an invitation to the inviter is the answer to this one, so that it is not sent. See
    /// ``CrossedInvitations``.
    ///
    /// - Parameter isTold: true if the user knows of this invitation. Then the user answers it. If the yes is sent
    ///   already, an invitation after it would reach a peer that has joined the session, and would begin a second one.
    ///   If a code is wanted, it is still the user's yes, so that the two become one and one screen shows a code.
    public func isAnsweredByInviting(isReported: Bool) -> Bool {
        !isSilent && (!isReported || hasSaidYes || state == .codeWanted)
    }

    /// Declines. After the yes is sent it has no effect, and the machine leaves the session instead.
    public mutating func decline(_ reason: PartingReason = .declined) -> [Action] {
        guard !isSilent else { return [] }
        switch state {
        case .asking, .codeWanted: return [.sendAnswer(reason)] + end(.declined, reason)
        case .arrived, .proving, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }

    /// Handles the end of the wait. Only a machine that has sent an answer sends that the time is over.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .asking, .codeWanted: return end(.timedOut, .timedOut)
        case .proving: return [.sendAnswer(.timedOut)] + end(.timedOut, .timedOut)
        case .answered: return [.sendLeave(.timedOut)] + end(.timedOut, .timedOut)
        case .arrived, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }
}
