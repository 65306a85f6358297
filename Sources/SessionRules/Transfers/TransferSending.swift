public import Vocabulary

/// A file or folder on its way out: offered, answered, sent over a lane of its own, stored over there.
/// `docs/machines/transfer-sending.md` has its table.
///
/// Make one when the offer is sent. A cut at any moment leads back to a lane and to what the receiver holds by then; the
/// receiver's word counts, never what was sent.
public struct TransferSending: Sendable {
    /// How far it has come.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The answer is due.
        case offered
        /// It is wanted; a lane is being opened.
        case opening
        /// The receiver looks what it holds already.
        case awaitingHeld
        /// Bytes flow.
        case sending
        /// All is sent; the receiver has to say that it lies there.
        case awaitingStored
        /// The link is gone and may come back.
        case interrupted
        /// Over: it lies there whole.
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
            case .offered, .opening, .awaitingHeld, .sending, .awaitingStored, .interrupted: false
            case .stored, .refused, .cancelled, .failed: true
            }
        }

        /// Whether there is a lane, or one on its way.
        var hasLane: Bool {
            switch self {
            case .opening, .awaitingHeld, .sending, .awaitingStored: true
            case .offered, .interrupted, .stored, .refused, .cancelled, .failed: false
            }
        }
    }

    /// What the caller does, in order.
    public enum Action: Hashable, Sendable {
        /// Send ResourceOffer, the same as before.
        case sendOffer
        /// Open a lane, or ask the dialler for one.
        case openLane
        /// Send ResourceBegin on the lane.
        case sendBegin
        /// Compare the digests of what is held, send StartAt, then data; no further on than this.
        case send(held: UInt64)
        /// Send ResourceEnd.
        case sendEnd
        /// Send TransferCancel.
        case sendCancel(PartingReason)
        /// Send Failed on the lane.
        case sendFailed(TransferFault)
        /// Close the lane, or give up opening it.
        case closeLane
        /// It is over.
        case end(TransferOutcome)
    }

    /// How far it has come.
    public internal(set) var state = State.offered
    /// What is safely over there.
    public internal(set) var progress: TransferProgress
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?

    let patience: TransferPatience
    var isAnswered = false
    var owesCancel = false
    private var fruitlessLanes = 0

    /// - Parameters:
    ///   - total: how many bytes the offer names
    ///   - patience: how long to wait
    ///   - now: when the offer is sent
    public init(total: UInt64, patience: TransferPatience = TransferPatience(), at now: ContinuousClock.Instant) {
        self.patience = patience
        progress = TransferProgress(total: total, at: now)
        deadline = now + patience.answer
    }

    mutating func open(at now: ContinuousClock.Instant) -> [Action] {
        state = .opening
        deadline = now + patience.lane
        return [.openLane]
    }

    mutating func end(
        _ state: State,
        _ outcome: TransferOutcome,
        saying words: [Action] = [],
        closingLane: Bool = true
    ) -> [Action] {
        let closing: [Action] = self.state.hasLane && closingLane ? [.closeLane] : []
        self.state = state
        deadline = nil
        return words + closing + [.end(outcome)]
    }
}

// What happens on this side.
extension TransferSending {
    /// The lane is open.
    public mutating func laneOpened(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .opening:
            state = .awaitingHeld
            deadline = now + patience.disk
            return [.sendBegin]
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
        case .offered, .interrupted, .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// Every byte was handed to the lane.
    public mutating func allSent(at now: ContinuousClock.Instant) -> [Action] {
        switch state {
        case .sending:
            state = .awaitingStored
            deadline = now + patience.disk
            return [.sendEnd]
        // The one that reads the file is told of these a moment later.
        case .opening, .awaitingHeld, .interrupted, .stored, .refused, .cancelled, .failed: return []
        case .offered, .awaitingStored: preconditionFailure("what is sent was begun, and ends once")
        }
    }

    /// A person, or the program, wants it no more.
    public mutating func cancel(_ reason: PartingReason = .withdrawn) -> [Action] {
        switch state {
        case .offered, .opening, .awaitingHeld, .sending, .awaitingStored:
            return end(.cancelled, .cancelledHere(reason), saying: [.sendCancel(reason)])
        case .interrupted:
            owesCancel = true
            return end(.cancelled, .cancelledHere(reason))
        case .stored, .refused, .cancelled, .failed: return []
        }
    }

    /// It can't be read here.
    public mutating func failHere(_ fault: TransferFault) -> [Action] {
        switch state {
        case .awaitingHeld, .sending, .awaitingStored:
            return end(.failed, .failedHere(fault), saying: [.sendFailed(fault)])
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
        case .offered, .opening, .awaitingHeld, .sending, .awaitingStored:
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
        return end(.failed, .gone(.timedOut), saying: [.sendCancel(.timedOut)])
    }

    mutating func bytesArrived(_ bytes: UInt64, at now: ContinuousClock.Instant) {
        if bytes > progress.done { fruitlessLanes = 0 }
        progress.moved(to: bytes, at: now)
    }
}
