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
        /// It is wanted no more, but may lie there already: the receiver has the last word.
        case withdrawing
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
            case .offered, .opening, .awaitingHeld, .sending, .awaitingStored, .withdrawing, .interrupted: false
            case .stored, .refused, .cancelled, .failed: true
            }
        }

        /// Whether there is a lane, or one on its way.
        var hasLane: Bool {
            switch self {
            case .opening, .awaitingHeld, .sending, .awaitingStored, .withdrawing: true
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
    /// Whether the receiver may have all of it, and has not said otherwise since.
    var mayBeStored = false
    /// Why it is wanted no more.
    var withdrawal = PartingReason.withdrawn
    /// Whether the receiver is to be told of the end once it can be reached.
    public internal(set) var owesCancel = false
    var fruitlessLanes = 0

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
