public import Vocabulary

// Events on this side.
extension TransferSending {
    /// Handles the open data channel.
    public mutating func channelOpened(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .opening:
            state = .awaitingHeld
            deadline = now + patience.disk
            return [.sendBegin]
        // ResourceBegin is a question here: a receiver that has stored all of it answers Stored.
        case .withdrawing: return [.sendBegin]
        // It is too late: meanwhile the link was lost, or one side cancelled.
        case .interrupted, .stored, .refused, .cancelled, .failed: return [.closeChannel]
        case .offered, .awaitingHeld, .sending, .awaitingStored:
            preconditionFailure("a data channel opens only after the action for it")
        }
    }

    /// Handles a data channel that broke or could not be opened while the link works. Another one is tried.
    public mutating func channelLost(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .opening, .awaitingHeld, .sending, .awaitingStored:
            fruitlessChannels += 1
            guard fruitlessChannels < patience.fruitlessChannels else {
                return end(.failed, .gone(.lost), saying: [.sendCancel(.lost)], closingChannel: false)
            }
            return open(at: now)
        // The receiver's answer may come over the link. Without it the outcome stays unknown.
        case .withdrawing: return []
        case .offered, .interrupted, .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// Handles that the data channel has taken every byte.
    public mutating func allSent(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .sending:
            state = .awaitingStored
            mayBeStored = true
            deadline = now + patience.disk
            return [.sendEnd]
        // The reader of the file learns of these states only a moment later.
        case .opening, .awaitingHeld, .withdrawing, .interrupted, .stored, .refused, .cancelled, .failed: return []
        case .offered, .awaitingStored: preconditionFailure("all bytes are sent once, after they began")
        }
    }

    /// Cancels the transfer for the user or a program. If the receiver may have stored it, its answer decides the
    /// outcome.
    public mutating func cancel(
        _ reason: PartingReason = .withdrawn,
        at now: ContinuousClock.Instant
    ) -> [Action] {
        switch state {
        case .opening where mayBeStored, .awaitingHeld where mayBeStored, .awaitingStored:
            state = .withdrawing
            withdrawal = reason
            deadline = now + patience.channel
            return [.sendCancel(reason)]
        case .offered, .opening, .awaitingHeld, .sending:
            return end(.cancelled, .cancelledHere(reason), saying: [.sendCancel(reason)])
        case .interrupted:
            owesCancel = true
            // The outcome stays unknown if the receiver may have stored it.
            return mayBeStored ? end(.failed, .gone(.lost)) : end(.cancelled, .cancelledHere(reason))
        case .withdrawing: return []
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// Handles a fault on this side: the file can't be read.
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

    /// Handles the loss of the link.
    public mutating func linkLost(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .offered, .opening, .awaitingHeld, .sending, .awaitingStored:
            let closing: [Action] = state.hasChannel ? [.closeChannel] : []
            state = .interrupted
            deadline = now + patience.link
            return closing
        // It stays unknown if the cancellation was in time.
        case .withdrawing:
            owesCancel = true
            return end(.failed, .gone(.lost))
        case .interrupted, .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// Handles the restored link. The transfer continues, or the cancellation that could not be sent before is sent.
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

    /// Handles a peer that has left the session.
    public mutating func peerLeft(_ reason: PartingReason) -> [Action] {
        state.isOver ? [] : end(.failed, .gone(reason))
    }

    /// Handles the end of the wait.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        if state == .interrupted { return end(.failed, .gone(.lost)) }
        if state == .withdrawing { return end(.failed, .gone(.timedOut)) }
        return end(.failed, .gone(.timedOut), saying: [.sendCancel(.timedOut)])
    }

    mutating func bytesArrived(_ bytes: UInt64, at now: ContinuousClock.Instant) {
        if bytes > progress.done { fruitlessChannels = 0 }
        progress.moved(to: bytes, at: now)
    }
}
