import SaveRules

/// The packs that are missing, and the snapshots that were damaged with them.
struct PackLosses {
    /// Snapshots that an index listed as kept and that no pack had when the history was opened, as the index listed
    /// them.
    var snapshots: [SnapshotID: SnapshotCatalog.Entry] = [:]
    /// Packs that an index listed and that are missing, as long as any snapshot is lost or incomplete.
    var packs: Set<UInt32> = []
    /// The lost packs that a repair abandoned: garbage collection no longer waits for them.
    var abandoned: Set<UInt32> = []
    /// Kept snapshots that missed a piece of those packs when the history was opened.
    var incomplete: [SnapshotID: SnapshotCatalog.Entry] = [:]
}
