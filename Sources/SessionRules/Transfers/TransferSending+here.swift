public import Vocabulary

// What happens on this side.
extension TransferSending {
    /// The lane is open.
    public mutating func laneOpened(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .opening:
            state = .awaitingHeld
            deadline = now + patience.disk
            return [.sendBegin]
        // Beginning is asking: whoever has it says so.
        case .withdrawing: return [.sendBegin]
        // It came too late: meanwhile the link went, or somebody changed their mind.
        case .interrupted, .stored, .refused, .cancelled, .failed: return [.closeLane]
        case .offered, .awaitingHeld, .sending, .awaitingStored: preconditionFailure("a lane opens once it is wanted")
        }
    }

    /// The lane broke, or could not be opened, while the link stands. Another one is tried.
    public mutating func laneLost(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .opening, .awaitingHeld, .sending, .awaitingStored:
            fruitlessLanes += 1
            guard fruitlessLanes < patience.fruitlessLanes else {
                return end(.failed, .gone(.lost), saying: [.sendCancel(.lost)], closingLane: false)
            }
            return open(at: now)
        // The receiver's word comes over the link, too; where it does not, nobody can tell.
        case .withdrawing: return []
        case .offered, .interrupted, .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// Every byte was handed to the lane.
    public mutating func allSent(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .sending:
            state = .awaitingStored
            mayBeStored = true
            deadline = now + patience.disk
            return [.sendEnd]
        // The one that reads the file is told of these a moment later.
        case .opening, .awaitingHeld, .withdrawing, .interrupted, .stored, .refused, .cancelled, .failed: return []
        case .offered, .awaitingStored: preconditionFailure("what is sent was begun, and ends once")
        }
    }

    /// A person, or the program, wants it no more. Where it may lie there already, it is over when the receiver has said which.
    public mutating func cancel(
        _ reason: PartingReason = .withdrawn,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        switch state {
        case .opening where mayBeStored, .awaitingHeld where mayBeStored, .awaitingStored:
            state = .withdrawing
            withdrawal = reason
            deadline = now + patience.lane
            return [.sendCancel(reason)]
        case .offered, .opening, .awaitingHeld, .sending:
            return end(.cancelled, .cancelledHere(reason), saying: [.sendCancel(reason)])
        case .interrupted:
            owesCancel = true
            // Nobody can tell whether it is there.
            return mayBeStored ? end(.failed, .gone(.lost)) : end(.cancelled, .cancelledHere(reason))
        case .withdrawing: return []
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// It can't be read here.
    public mutating func failHere(_ fault: TransferFault) -> [Action] {
        switch state {
        case .awaitingHeld, .sending, .awaitingStored:
            return end(.failed, .failedHere(fault), saying: [.sendFailed(fault)])
        case .withdrawing: return end(.cancelled, .cancelledHere(withdrawal))
        case .offered, .opening: return end(.failed, .failedHere(fault), saying: [.sendCancel(.withdrawn)])
        case .interrupted:
            owesCancel = true
            return end(.failed, .failedHere(fault))
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// The link is gone.
    public mutating func linkLost(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .offered, .opening, .awaitingHeld, .sending, .awaitingStored:
            let closing: [Action] = state.hasLane ? [.closeLane] : []
            state = .interrupted
            deadline = now + patience.link
            return closing
        // Whether it was in time will never be known.
        case .withdrawing:
            owesCancel = true
            return end(.failed, .gone(.lost))
        case .interrupted, .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// The link is back: on with it, or the cancellation that nobody could be told.
    public mutating func linkCameBack(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .interrupted where isAnswered: return open(at: now)
        case .interrupted:
            state = .offered
            deadline = now + patience.answer
            return [.sendOffer]
        case .cancelled where owesCancel, .failed where owesCancel:
            owesCancel = false
            return [.sendCancel(.withdrawn)]
        case .stored, .refused, .cancelled, .failed: return []
        case .offered, .opening, .awaitingHeld, .sending, .awaitingStored, .withdrawing:
            preconditionFailure("only a link that was lost comes back")
        }
    }

    /// The peer is no longer in the session.
    public mutating func peerLeft(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.failed, .gone(reason))
    }

    /// Time is up.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        if state == .interrupted { return end(.failed, .gone(.lost)) }
        if state == .withdrawing { return end(.failed, .gone(.timedOut)) }
        return end(.failed, .gone(.timedOut), saying: [.sendCancel(.timedOut)])
    }

    mutating func bytesArrived(_ bytes: UInt64, at now: ContinuousClock.Instant) {
        if bytes > progress.done { fruitlessLanes = 0 }
        progress.moved(to: bytes, at: now)
    }
}
