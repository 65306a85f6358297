public import Vocabulary

/// A file or folder on its way in: asked about, measured, received, stored. `docs/machines/transfer-receiving.md` has its
/// table.
///
/// Make one when an offer comes. Keep it for a while after it is over: where the last word was lost in a cut, the sender
/// comes back and has to hear it again.
public struct TransferReceiving: Sendable {
    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The person, or the policy, decides.
        case asked
        /// It is wanted; the sender has to begin on a lane.
        case awaitingLane
        /// What is held already is being read.
        case measuring
        /// The sender has to say where it starts.
        case awaitingStart
        /// Bytes flow.
        case receiving
        /// All is there; it is being checked and put in its place.
        case finishing
        /// The link is gone and may come back.
        case interrupted
        /// Over: it lies here whole.
        case stored
        /// Over: it is not wanted.
        case refused
        /// Over: one side cancelled.
        case cancelled
        /// Over: it could not be done.
        case failed

        /// Whether nothing follows any more.
        public var isOver: Bool {
            switch self {
            case .asked, .awaitingLane, .measuring, .awaitingStart, .receiving, .finishing, .interrupted: false
            case .stored, .refused, .cancelled, .failed: true
            }
        }
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Send ResourceAnswer; nil wants it.
        case sendAnswer(PartingReason?)
        /// Find out what is held already, then say so with ``TransferReceiving/measured(_:at:)``.
        case measure
        /// Send Held on the lane.
        case sendHeld(UInt64)
        /// Write what comes from here on.
        case receive(from: UInt64)
        /// Send Verified.
        case sendVerified(UInt64)
        /// Check the whole and put it in its place, then call ``TransferReceiving/finished()``.
        case finish
        /// Send Stored.
        case sendStored
        /// Send TransferCancel.
        case sendCancel(PartingReason)
        /// Send Failed on the lane.
        case sendFailed(TransferFault)
        /// Close the lane, also one that has just come.
        case closeLane
        /// The new lane takes the place of the old one, which is dead on the other side.
        case replaceLane
        /// It is over.
        case end(TransferOutcome)
    }

    /// How many bytes come between one Verified and the next.
    public static let verifiedEvery: UInt64 = 4 << 20

    /// How far it has come.
    public internal(set) var state = State.asked
    /// What is here.
    public internal(set) var progress: TransferProgress
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?

    let patience: TransferPatience
    var isAccepted = false
    var hasLane = false
    /// Whether there is a link to the sender.
    public internal(set) var hasLink = true
    var held: UInt64 = 0
    var owesCancel = false
    private var verified: UInt64 = 0

    /// - Parameters:
    ///   - total: how many bytes the offer names
    ///   - patience: how long to wait
    ///   - now: when the offer came
    public init(total: UInt64, patience: TransferPatience = TransferPatience(), at now: ContinuousClock.Instant) {
        self.patience = patience
        progress = TransferProgress(total: total, at: now)
        deadline = now + patience.answer
    }

    mutating func end(_ state: State, _ outcome: TransferOutcome, saying words: [Action] = []) -> [Action] {
        let closing: [Action] = hasLane ? [.closeLane] : []
        self.state = state
        deadline = nil
        hasLane = false
        return words + closing + [.end(outcome)]
    }

    mutating func wait(in state: State, for time: Duration, at now: ContinuousClock.Instant) {
        self.state = state
        deadline = now + time
    }

    mutating func startWriting(at offset: UInt64, at now: ContinuousClock.Instant) -> [Action] {
        progress.resume(from: offset, at: now)
        verified = offset
        wait(in: .receiving, for: patience.stall, at: now)
        return [.receive(from: offset)]
    }
}

// What happens on this side.
extension TransferReceiving {
    /// It is wanted.
    public mutating func accept(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .asked:
            isAccepted = true
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
        case .asked: end(.refused, .refused(reason), saying: [.sendAnswer(reason)])
        case .awaitingLane, .measuring, .awaitingStart, .receiving, .finishing, .interrupted: cancel(reason)
        case .stored, .refused, .cancelled, .failed: []
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
        // Who reads the disk is told of these a moment later.
        case .awaitingLane, .interrupted, .stored, .refused, .cancelled, .failed: return []
        case .asked, .awaitingStart, .receiving, .finishing: preconditionFailure("nobody asked what is held")
        }
    }

    /// The bytes up to here are written.
    public mutating func wrote(to offset: UInt64, at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .receiving:
            progress.moved(to: offset, at: now)
            deadline = now + patience.stall
            guard offset >= verified + Self.verifiedEvery else { return [] }
            verified = offset
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

    /// A person, or the program, wants it no more. What is being put in its place may still be; then it is removed.
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
        case .asked: return end(.refused, .refused(.timedOut), saying: [.sendAnswer(.timedOut)])
        case .interrupted: return end(.failed, .gone(.lost))
        case .awaitingLane, .measuring, .awaitingStart, .receiving, .finishing:
            return end(.failed, .gone(.timedOut), saying: hasLink ? [.sendCancel(.timedOut)] : [])
        case .stored, .refused, .cancelled, .failed: return []
        }
    }
}
