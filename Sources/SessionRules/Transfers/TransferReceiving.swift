public import Vocabulary

/// A file or folder that this machine receives: offered, compared with bytes that are here, received, stored.
/// `docs/machines/transfer-receiving.md` has its table.
///
/// Make one when an offer comes, and keep it for some minutes after its end. If the last frame was lost with a link,
/// the sender reconnects and needs it again.
public struct TransferReceiving: Sendable {
    /// The step that it has reached.
    public enum State: String, CaseIterable, Hashable, Sendable {
        /// The user, or the policy, decides.
        case asked
        /// It is accepted, and the sender must begin on a data channel.
        case awaitingChannel
        /// The bytes that are here already are read.
        case measuring
        /// The sender must send the offset at which it starts.
        case awaitingStart
        /// Bytes flow.
        case receiving
        /// All bytes are here; the whole is checked and put in its place.
        case finishing
        /// The link is lost and may be restored.
        case interrupted
        /// Over: all of it is stored here.
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
            case .asked, .awaitingChannel, .measuring, .awaitingStart, .receiving, .finishing, .interrupted: false
            case .stored, .refused, .cancelled, .failed: true
            }
        }
    }

    /// A step that the caller does. Several are done in order.
    public enum Action: Hashable, Sendable {
        /// Send ResourceAnswer; nil accepts.
        case sendAnswer(PartingReason?)
        /// Wait for running writes, count the bytes that are here already, and call
        /// ``TransferReceiving/measured(_:at:)``.
        case measure
        /// Send Held on the data channel.
        case sendHeld(UInt64)
        /// Write the bytes that come from this offset on.
        case receive(from: UInt64)
        /// Send Verified.
        case sendVerified(UInt64)
        /// Check the whole and put it in its place, then call ``TransferReceiving/finished()``.
        case finish
        /// Send Stored.
        case sendStored
        /// Send TransferCancel.
        case sendCancel(PartingReason)
        /// Send Failed on the data channel.
        case sendFailed(TransferFault)
        /// Close the data channel, also one that has just come.
        case closeChannel
        /// Replace the old data channel, which is dead for the sender, with the new one.
        case replaceChannel
        /// It is over.
        case end(TransferOutcome)
    }

    /// The bytes between one Verified and the next.
    public static let verifiedEvery: UInt64 = 4 << 20
    /// The longest time between two Verified on a slow network: the sender would take silence for a stall.
    public static let verifiedAtLeastEvery = Duration.seconds(5)

    /// The step that it has reached.
    public internal(set) var state = State.asked
    /// The bytes that are here.
    public internal(set) var progress: TransferProgress
    /// The time at which ``deadlinePassed(at:)`` is due; nil once it is over.
    public internal(set) var deadline: ContinuousClock.Instant?

    let patience: TransferPatience
    var isAccepted = false
    var hasChannel = false
    /// True if the answer was sent over the present link. Then an offer that comes again has crossed it.
    var hasAnsweredHere = false
    /// True if there is a link to the sender.
    public internal(set) var hasLink = true
    var held: UInt64 = 0
    var owesCancel = false
    var verified: UInt64 = 0
    var verifiedAt: ContinuousClock.Instant?

    /// - Parameters:
    ///   - total: the number of bytes in the offer
    ///   - patience: the time limits
    ///   - now: the time at which the offer came
    public init(total: UInt64, patience: TransferPatience = TransferPatience(), at now: ContinuousClock.Instant) {
        self.patience = patience
        progress = TransferProgress(total: total, at: now)
        deadline = now + patience.answer
    }

    mutating func end(_ state: State, _ outcome: TransferOutcome, saying words: [Action] = []) -> [Action] {
        let closing: [Action] = hasChannel ? [.closeChannel] : []
        self.state = state
        deadline = nil
        hasChannel = false
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
