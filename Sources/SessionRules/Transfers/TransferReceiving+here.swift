public import Vocabulary

// What happens on this side.
extension TransferReceiving {
    /// It is wanted.
    public mutating func accept(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .asked:
            isAccepted = true
            hasAnsweredHere = true
            wait(in: .awaitingLane, for: patience.link, at: now)
            return [.sendAnswer(nil)]
        case .interrupted:
            isAccepted = true
            return []
        case .awaitingLane, .measuring, .awaitingStart, .receiving, .finishing: return []
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// It is not wanted. After a yes this is a cancellation.
    public mutating func refuse(_ reason: PartingReason = .declined) -> [Action] {
        switch state {
        case .asked:
            hasAnsweredHere = true
            return end(.refused, .refused(reason), saying: [.sendAnswer(reason)])
        case .awaitingLane, .measuring, .awaitingStart, .receiving, .finishing, .interrupted: return cancel(reason)
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// This much is held, and is as good as its digests.
    public mutating func measured(_ bytes: UInt64, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .measuring:
            precondition(bytes <= progress.total, "more is held than there is")
            held = bytes
            wait(in: .awaitingStart, for: patience.disk, at: now)
            return [.sendHeld(bytes)]
        // A lane may have been replaced, or the link lost, while the disk was read: then there are several readers, and
        // all but the first come too late.
        case .awaitingLane, .awaitingStart, .receiving, .finishing, .interrupted: return []
        case .stored, .refused, .cancelled, .failed: return []
        case .asked: preconditionFailure("nobody asked what is held")
        }
    }

    /// The bytes up to here are written.
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
        case .awaitingLane, .measuring, .awaitingStart, .finishing, .interrupted: return []
        case .stored, .refused, .cancelled, .failed: return []
        case .asked: preconditionFailure("nothing is written before it is wanted")
        }
    }

    /// It lies in its place, whole. This counts without a link too: the sender hears of it when it comes back.
    public mutating func finished() -> [Action] {
        switch state {
        case .finishing: return end(.stored, .stored, saying: hasLane ? [.sendStored] : [])
        case .stored, .refused, .cancelled, .failed: return []
        case .asked, .awaitingLane, .measuring, .awaitingStart, .receiving, .interrupted:
            preconditionFailure("what is finished was received before")
        }
    }

    /// A person, or the program, wants it no more. While it is being finished, the caller makes sure that it has not been put in
    /// its place already: then that is the end of it.
    public mutating func cancel(_ reason: PartingReason = .withdrawn) -> [Action] {
        guard !state.isOver else { return [] }
        owesCancel = !hasLink
        return end(.cancelled, .cancelledHere(reason), saying: hasLink ? [.sendCancel(reason)] : [])
    }

    /// It can't be written here, or it is not what was promised.
    public mutating func failHere(_ fault: TransferFault) -> [Action] {
        guard !state.isOver else { return [] }
        owesCancel = !hasLink
        let word: [Action] = hasLane ? [.sendFailed(fault)] : hasLink ? [.sendCancel(.withdrawn)] : []
        return end(.failed, .failedHere(fault), saying: word)
    }

    /// The lane broke while the link stands: the sender opens another.
    public mutating func laneLost(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .measuring, .awaitingStart, .receiving:
            hasLane = false
            wait(in: .awaitingLane, for: patience.link, at: now)
        case .finishing: hasLane = false
        case .asked, .awaitingLane, .interrupted, .stored, .refused, .cancelled, .failed: break
        }
        return []
    }

    /// The link is gone. What is being put in its place still gets there.
    public mutating func linkLost(at now: ContinuousClock.Instant) -> [Action] {
        hasLink = false
        hasAnsweredHere = false
        let closing: [Action] = hasLane ? [.closeLane] : []
        hasLane = false
        switch state {
        case .asked, .awaitingLane, .measuring, .awaitingStart, .receiving:
            wait(in: .interrupted, for: patience.link, at: now)
        case .finishing, .interrupted, .stored, .refused, .cancelled, .failed: break
        }
        return closing
    }

    /// The link is back: the sender goes on, or hears the cancellation that it could not be told.
    public mutating func linkCameBack(at now: ContinuousClock.Instant) -> [Action] {
        precondition(!hasLink, "only a link that was lost comes back")
        hasLink = true
        switch state {
        case .interrupted where isAccepted: wait(in: .awaitingLane, for: patience.link, at: now)
        case .interrupted: wait(in: .asked, for: patience.answer, at: now)
        case .cancelled where owesCancel, .failed where owesCancel:
            owesCancel = false
            return [.sendCancel(.withdrawn)]
        case .asked, .awaitingLane, .measuring, .awaitingStart, .receiving, .finishing: break
        case .stored, .refused, .cancelled, .failed: break
        }
        return []
    }

    /// The peer is no longer in the session.
    public mutating func peerLeft(_ reason: PartingReason) -> [Action] {
        state.isOver || state == .finishing ? [] : end(.failed, .gone(reason))
    }

    /// Time is up.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .asked:
            hasAnsweredHere = true
            return end(.refused, .refused(.timedOut), saying: [.sendAnswer(.timedOut)])
        case .interrupted: return end(.failed, .gone(.lost))
        case .awaitingLane, .measuring, .awaitingStart, .receiving, .finishing:
            return end(.failed, .gone(.timedOut), saying: hasLink ? [.sendCancel(.timedOut)] : [])
        case .stored, .refused, .cancelled, .failed: return []
        }
    }
}
