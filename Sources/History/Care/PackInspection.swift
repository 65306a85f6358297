import SaveRules

/// The findings of a check of one pack.
struct PackInspection {
    /// The intact pieces and their locations.
    var pieces: [(id: PieceID, location: PieceLocation)] = []
    /// The intact snapshots and their locations.
    var snapshots: [(id: SnapshotID, location: PieceLocation)] = []
    var damages: [HistoryCheck.Damage] = []
}
