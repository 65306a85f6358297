public import SaveRules
public import Vocabulary

/// The disk usage of a history.
public struct HistoryUsage: Sendable {
    /// The part of one game in the disk usage.
    public struct Share: Sendable {
        /// The id of the game.
        public let set: SaveSetID
        /// The number of snapshots of the game that are kept.
        public internal(set) var snapshots = 0
        /// The size on disk of all records that the game needs, each once.
        public internal(set) var stored = ByteCount(0)
        /// The size on disk of the records that no other game needs.
        public internal(set) var own = ByteCount(0)
        /// The size that the snapshots would have if each were an uncompressed copy.
        public internal(set) var plain = ByteCount(0)
    }

    /// The size of all files of the history.
    public internal(set) var onDisk = ByteCount(0)
    /// The size of the unused records that a garbage collection would free.
    public internal(set) var garbage = ByteCount(0)
    /// The size of the unused records that stay, in packs of which more than half is used.
    public internal(set) var remainingGarbage = ByteCount(0)
    /// The number of pieces.
    public internal(set) var pieces = 0
    /// The shares of all games, sorted by id.
    public internal(set) var shares: [Share] = []
}
