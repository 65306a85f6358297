public import Vocabulary

/// A file or folder that this machine sends: offered, answered, sent over a data channel of its own, stored by the
/// peer. `docs/machines/transfer-sending.md` has its table.
///
/// Make one when the offer is sent. After a lost link it continues with a new data channel, at the bytes that the
/// receiver has. The receiver's report counts, never the number of sent bytes.
public struct TransferSending: Sendable {
    /// The step that it has reached.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The answer is due.
        case offered
        /// It is accepted, and a data channel is being opened.
        case opening
        /// The receiver counts the bytes that it has already.
        case awaitingHeld
        /// Bytes flow.
        case sending
        /// All is sent, and the receiver must confirm that it is stored.
        case awaitingStored
        /// It is cancelled, but may be stored already: the receiver's answer decides.
        case withdrawing
        /// The link is lost and may be restored.
        case interrupted
        /// Over: the receiver has stored all of it.
        case stored
        /// Over: it was declined.
        case refused
        /// Over: one side cancelled.
        case cancelled
        /// Over: it failed.
        case failed

        /// True if nothing follows.
        public var isOver: Bool {
            switch self {
            case .offered, .opening, .awaitingHeld, .sending, .awaitingStored, .withdrawing, .interrupted: false
            case .stored, .refused, .cancelled, .failed: true
            }
        }

        /// True if there is a data channel, or one is being opened.
        var hasChannel: Bool {
            switch self {
            case .opening, .awaitingHeld, .sending, .awaitingStored, .withdrawing: true
            case .offered, .interrupted, .stored, .refused, .cancelled, .failed: false
            }
        }
    }

    /// A step that the caller does. Several are done in order.
    public enum Action: Hashable, Sendable {
        /// Send ResourceOffer, the same as before.
        case sendOffer
        /// Open a data channel, or ask the dialler for one.
        case openChannel
        /// Send ResourceBegin on the data channel.
        case sendBegin
        /// Compare the digests of the bytes that the receiver has, send StartAt at or before this offset, then the
        /// data.
        case send(held: UInt64)
        /// Send ResourceEnd.
        case sendEnd
        /// Send TransferCancel.
        case sendCancel(PartingReason)
        /// Send Failed on the data channel.
        case sendFailed(TransferFault)
        /// Close the data channel, or stop opening it.
        case closeChannel
        /// It is over.
        case end(TransferOutcome)
    }

    /// The step that it has reached.
    public internal(set) var state = State.offered
    /// The bytes that the receiver has confirmed.
    public internal(set) var progress: TransferProgress
    /// The time at which ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?

    let patience: TransferPatience
    var isAnswered = false
    /// True if the receiver may have stored all of it, and has not denied that since.
    var mayBeStored = false
    /// The reason of the cancellation.
    var withdrawal = PartingReason.withdrawn
    /// True if the receiver must get the cancellation once there is a link.
    public internal(set) var owesCancel = false
    var fruitlessChannels = 0

    /// - Parameters:
    ///   - total: the number of bytes in the offer
    ///   - patience: the time limits
    ///   - now: the time at which the offer is sent
    public init(total: UInt64, patience: TransferPatience = TransferPatience(), at now: ContinuousClock.Instant) {
        self.patience = patience
        progress = TransferProgress(total: total, at: now)
        deadline = now + patience.answer
    }

    mutating func open(at now: ContinuousClock.Instant) -> [Action] {
        state = .opening
        deadline = now + patience.channel
        return [.openChannel]
    }

    mutating func end(
        _ state: State,
        _ outcome: TransferOutcome,
        saying words: [Action] = [],
        closingChannel: Bool = true
    ) -> [Action] {
        let closing: [Action] = self.state.hasChannel && closingChannel ? [.closeChannel] : []
        self.state = state
        deadline = nil
        return words + closing + [.end(outcome)]
    }
}
