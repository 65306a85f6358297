public import Vocabulary

// Events on this side.
extension TransferReceiving {
    /// Accepts the offer.
    public mutating func accept(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .asked:
            isAccepted = true
            hasAnsweredHere = true
            wait(in: .awaitingChannel, for: patience.link, at: now)
            return [.sendAnswer(nil)]
        case .interrupted:
            isAccepted = true
            return []
        case .awaitingChannel, .measuring, .awaitingStart, .receiving, .finishing: return []
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// Declines the offer. After a yes this cancels the transfer.
    public mutating func refuse(_ reason: PartingReason = .declined) -> [Action] {
        switch state {
        case .asked:
            hasAnsweredHere = true
            return end(.refused, .refused(reason), saying: [.sendAnswer(reason)])
        case .awaitingChannel, .measuring, .awaitingStart, .receiving, .finishing, .interrupted: return cancel(reason)
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// Handles the number of bytes that are here already, with their digests checked.
    public mutating func measured(_ bytes: UInt64, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .measuring:
            precondition(bytes <= progress.total, "more is held than there is")
            held = bytes
            wait(in: .awaitingStart, for: patience.disk, at: now)
            return [.sendHeld(bytes)]
        // While the disk was read, a new data channel may have replaced the old one, or the link was lost. Then there
        // are several readers, and all but the first are too late.
        case .awaitingChannel, .awaitingStart, .receiving, .finishing, .interrupted: return []
        case .stored, .refused, .cancelled, .failed: return []
        case .asked: preconditionFailure("bytes are counted only after the action for it")
        }
    }

    /// Handles bytes that are written up to an offset.
    public mutating func wrote(to offset: UInt64, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .receiving:
            progress.moved(to: offset, at: now)
            deadline = now + patience.stall
            let isDue = verifiedAt.map { now - $0 >= Self.verifiedAtLeastEvery } ?? false
            if verifiedAt == nil { verifiedAt = now }
            guard offset >= verified + Self.verifiedEvery || (isDue && offset > verified) else { return [] }
            (verified, verifiedAt) = (offset, now)
            return [.sendVerified(offset)]
        case .awaitingChannel, .measuring, .awaitingStart, .finishing, .interrupted: return []
        case .stored, .refused, .cancelled, .failed: return []
        case .asked: preconditionFailure("nothing is written before the offer is accepted")
        }
    }

    /// Handles the storing of the whole. It counts without a link, too: the sender learns of it when the link is
    /// restored.
    public mutating func finished() -> [Action] {
        switch state {
        case .finishing: return end(.stored, .stored, saying: hasChannel ? [.sendStored] : [])
        case .stored, .refused, .cancelled, .failed: return []
        case .asked, .awaitingChannel, .measuring, .awaitingStart, .receiving, .interrupted:
            preconditionFailure("a transfer is finished only after it was received")
        }
    }

    /// Cancels the transfer for the user or a program. During the last step the caller makes sure that the file is not
    /// in its place already; in that case the transfer is complete.
    public mutating func cancel(_ reason: PartingReason = .withdrawn) -> [Action] {
        guard !state.isOver else { return [] }
        owesCancel = !hasLink
        return end(.cancelled, .cancelledHere(reason), saying: hasLink ? [.sendCancel(reason)] : [])
    }

    /// Handles a fault on this side: the disk refuses the bytes, or they differ from the offer.
    public mutating func failHere(_ fault: TransferFault) -> [Action] {
        guard !state.isOver else { return [] }
        owesCancel = !hasLink
        let word: [Action] = hasChannel ? [.sendFailed(fault)] : hasLink ? [.sendCancel(.withdrawn)] : []
        return end(.failed, .failedHere(fault), saying: word)
    }

    /// Handles a broken data channel while the link works. The sender opens another one.
    public mutating func channelLost(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .measuring, .awaitingStart, .receiving:
            hasChannel = false
            wait(in: .awaitingChannel, for: patience.link, at: now)
        case .finishing: hasChannel = false
        case .asked, .awaitingChannel, .interrupted, .stored, .refused, .cancelled, .failed: break
        }
        return []
    }

    /// Handles the loss of the link. A transfer in its last step still completes.
    public mutating func linkLost(at now: ContinuousClock.Instant) -> [Action] {
        hasLink = false
        hasAnsweredHere = false
        let closing: [Action] = hasChannel ? [.closeChannel] : []
        hasChannel = false
        switch state {
        case .asked, .awaitingChannel, .measuring, .awaitingStart, .receiving:
            wait(in: .interrupted, for: patience.link, at: now)
        case .finishing, .interrupted, .stored, .refused, .cancelled, .failed: break
        }
        return closing
    }

    /// Handles the restored link. The sender continues, or gets the cancellation that could not be sent before.
    public mutating func linkCameBack(at now: ContinuousClock.Instant) -> [Action] {
        precondition(!hasLink, "only a link that was lost comes back")
        hasLink = true
        switch state {
        case .interrupted where isAccepted: wait(in: .awaitingChannel, for: patience.link, at: now)
        case .interrupted: wait(in: .asked, for: patience.answer, at: now)
        case .cancelled where owesCancel, .failed where owesCancel:
            owesCancel = false
            return [.sendCancel(.withdrawn)]
        case .asked, .awaitingChannel, .measuring, .awaitingStart, .receiving, .finishing: break
        case .stored, .refused, .cancelled, .failed: break
        }
        return []
    }

    /// Handles a peer that has left the session.
    public mutating func peerLeft(_ reason: PartingReason) -> [Action] {
        state.isOver || state == .finishing ? [] : end(.failed, .gone(reason))
    }

    /// Handles the end of the wait.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .asked:
            hasAnsweredHere = true
            return end(.refused, .refused(.timedOut), saying: [.sendAnswer(.timedOut)])
        case .interrupted: return end(.failed, .gone(.lost))
        case .awaitingChannel, .measuring, .awaitingStart, .receiving, .finishing:
            return end(.failed, .gone(.timedOut), saying: hasLink ? [.sendCancel(.timedOut)] : [])
        case .stored, .refused, .cancelled, .failed: return []
        }
    }
}
