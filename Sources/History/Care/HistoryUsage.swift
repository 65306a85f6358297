public import SaveRules
public import Vocabulary

/// What a history costs on disk.
public struct HistoryUsage: Sendable {
    /// What one set has part in.
    public struct Share: Sendable {
        /// Which set.
        public let set: SaveSetID
        /// How many snapshots of it are kept.
        public internal(set) var snapshots = 0
        /// What all that it needs takes on disk, each piece once.
        public internal(set) var stored = ByteCount(0)
        /// What of that no other set needs.
        public internal(set) var own = ByteCount(0)
        /// What its snapshots would take if each were copied as it is.
        public internal(set) var plain = ByteCount(0)
    }

    /// The files of the history, all that belongs to it.
    public internal(set) var onDisk = ByteCount(0)
    /// What no snapshot needs, and collecting garbage frees.
    public internal(set) var garbage = ByteCount(0)
    /// What no snapshot needs and stays all the same, in packs of which most is needed.
    public internal(set) var remainingGarbage = ByteCount(0)
    /// How many pieces there are.
    public internal(set) var pieces = 0
    /// One for each set, by its id.
    public internal(set) var shares: [Share] = []
}
