public import Vocabulary

/// The source from which rules read stored versions. It may wait for a disk for a moment. Its content does not change
/// while a rule reads it, except through a ``SnapshotGraph``.
public protocol SnapshotSource: Sendable {
    /// Returns a known version of a game; nil if it is unknown or can't be read.
    func snapshot(_ id: SnapshotID, of set: SaveSetID) -> Snapshot?
}
