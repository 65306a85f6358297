public import Vocabulary

/// The holder of a play lock as this machine remembers it besides the lock itself: what users heard, and what the ledger has.
public struct HolderMemory: Sendable {
    /// A claim, and when it was made.
    public struct Held: Hashable, Sendable {
        /// The claim.
        public let claim: LeaseClaim
        /// When this machine heard it, or made it.
        public let heard: ContinuousClock.Instant
    }

    /// The entry that the ledger must have.
    public struct Change: Hashable, Sendable {
        /// The holder; nil if the play lock is free.
        public let held: Held?

        /// - Parameter held: the holder; nil if the play lock is free
        public init(held: Held?) { self.held = held }
    }

    /// The machine that users were told plays elsewhere.
    public internal(set) var announced: PeerID?
    /// Its name, also while it is offline.
    public var name: String?
    /// A machine that was playing when its connection broke, and that has said nothing since.
    public internal(set) var cutOff: PeerID?
    var saved: Held?
    /// True if the shell is writing to the ledger. One write at a time, however often a machine repeats its claim.
    var isSaving = false

    /// True if the ledger has another holder, or has not heard of this one for a second.
    func isNews(_ held: Held?) -> Bool {
        guard let held, let saved else { return (held == nil) != (saved == nil) }
        return held.claim.peer != saved.claim.peer || held.claim.term != saved.claim.term
            || held.heard - saved.heard >= .seconds(1)
    }
}
