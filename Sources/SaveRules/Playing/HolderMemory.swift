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
    public struct Entry: Hashable, Sendable {
        /// The holder; nil if the play lock is free.
        public let held: Held?
        /// The play that was cut off; nil if there is none.
        public let cutOff: CutOffPlay?

        /// - Parameters:
        ///   - held: the holder; nil if the play lock is free
        ///   - cutOff: the play that was cut off; nil if there is none
        public init(held: Held? = nil, cutOff: CutOffPlay? = nil) { (self.held, self.cutOff) = (held, cutOff) }
    }

    /// The machine of which users last heard that it plays elsewhere.
    public internal(set) var announced: PeerID?
    /// Its name, also while it is offline.
    public var name: String?
    /// The play of a machine whose connection broke meanwhile, as this machine saw it. Its save may be missing here.
    public internal(set) var cutOff: CutOffPlay?
    var saved = Entry()
    /// True while the shell writes to the ledger. It makes one write at a time, however often a machine repeats its
    /// claim.
    var isSaving = false

    /// True if the ledger has another entry, or has not heard of this holder for a second.
    func isNews(_ entry: Entry) -> Bool {
        guard entry.cutOff == saved.cutOff else { return true }
        guard let held = entry.held, let saved = saved.held else { return (entry.held == nil) != (saved.held == nil) }
        return held.claim.peer != saved.claim.peer || held.claim.term != saved.claim.term
            || held.heard - saved.heard >= .seconds(1)
    }
}
