public import Vocabulary

/// Where the snapshots of sets are read from when a rule wants one. It may wait for a disk for a moment; nothing of it changes while a
/// rule asks, but for what is taken in by way of a ``SnapshotGraph``.
public protocol SnapshotSource: Sendable {
    /// A snapshot that is known of a set; nil if there is none, or if it can't be read.
    func snapshot(_ id: SnapshotID, of set: SaveSetID) -> Snapshot?
}
