public import Vocabulary

/// The source of snapshots that rules read. It may wait for a disk for a moment. Nothing of it changes while a
/// rule asks, except by way of a ``SnapshotGraph``.
public protocol SnapshotSource: Sendable {
    /// A snapshot that is known of a set; nil if there is none, or if it can't be read.
    func snapshot(_ id: SnapshotID, of set: SaveSetID) -> Snapshot?
}
