public import Vocabulary

// What the person says. Nothing comes of it where it is too late or too early; a person's program may say it at any time.
extension IncomingInvitation {
    /// Yes, without a code. Where one is needed, the person takes the key as it is; that counts only where the inviter wants no code.
    public mutating func accept(at now: ContinuousClock.Instant) -> [Action] {
        guard !isSilent else { return [] }
        switch state {
        case .asking: return answer(at: now)
        case .codeWanted: return codeNeed != .there ? answer(at: now) : []
        case .arrived, .proving, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }

    /// The person typed the code that the inviter shows.
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

    /// Whether inviting the inviter is the answer to this invitation, so that none of one's own is sent. See ``CrossedInvitations``.
    ///
    /// - Parameter isTold: whether a person knows of it. Then the yes is that person's to say; but one that has been said holds, and an own
    ///   invitation behind it would reach a peer that has joined the two already, and begin a second session. Where a code is wanted, the code
    ///   is still the person's yes, so the two become one and one screen shows a code.
    public func isAnsweredByInviting(isTold: Bool) -> Bool {
        !isSilent && (!isTold || hasSaidYes || state == .codeWanted)
    }

    /// No. Once the yes is out it is too late; then one leaves the session.
    public mutating func decline(_ reason: PartingReason = .declined) -> [Action] {
        guard !isSilent else { return [] }
        switch state {
        case .asking, .codeWanted: return [.sendAnswer(reason)] + end(.declined, reason)
        case .arrived, .proving, .answered, .joined, .declined, .withdrawn, .timedOut, .lost: return []
        }
    }

    /// Time is up. Only a machine that has said something already says that it is over.
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
