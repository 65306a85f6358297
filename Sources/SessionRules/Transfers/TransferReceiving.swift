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
        /// As soon as nothing is being written any more, find out what is held already, then say so with ``TransferReceiving/measured(_:at:)``.
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
    /// How long a slow line may take for that: whoever sends would take silence for a stall.
    public static let verifiedAtLeastEvery = Duration.seconds(5)

    /// How far it has come.
    public internal(set) var state = State.asked
    /// What is here.
    public internal(set) var progress: TransferProgress
    /// When ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?

    let patience: TransferPatience
    var isAccepted = false
    var hasLane = false
    /// Whether the answer went over the link there is: an offer that comes again then has crossed it.
    var hasAnsweredHere = false
    /// Whether there is a link to the sender.
    public internal(set) var hasLink = true
    var held: UInt64 = 0
    var owesCancel = false
    var verified: UInt64 = 0
    var verifiedAt: ContinuousClock.Instant?

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
