public import Vocabulary

/// The memory of a play lock's holder, besides the lock itself: what users heard, and what the ledger has.
public struct HolderMemory: Sendable {
    /// A claim, and its time.
    public struct Held: Hashable, Sendable {
        /// The claim.
        public let claim: LeaseClaim
        /// The time at which this machine heard the claim, or made it.
        public let heard: ContinuousClock.Instant
    }

    /// The entry that the ledger must have.
    public struct Change: Hashable, Sendable {
        /// The holder; nil if the play lock is free.
        public let held: Held?

        /// - Parameter held: the holder; nil if the play lock is free
        public init(held: Held?) { self.held = held }
    }

    /// The machine of which users last heard that it plays elsewhere.
    public internal(set) var announced: PeerID?
    /// Its name, also while it is offline.
    public var name: String?
    /// The machine that was playing when its connection broke, and that has sent nothing since.
    public internal(set) var cutOff: PeerID?
    var saved: Held?
    /// True while the shell writes to the ledger. It makes one write at a time, however often a machine repeats its
    /// claim.
    var isSaving = false

    /// True if the ledger has another holder, or has not heard of this one for a second.
    func isNews(_ held: Held?) -> Bool {
        guard let held, let saved else { return (held == nil) != (saved == nil) }
        return held.claim.peer != saved.claim.peer || held.claim.term != saved.claim.term
            || held.heard - saved.heard >= .seconds(1)
    }
}
