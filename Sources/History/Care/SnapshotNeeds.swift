import SaveRules

/// The pieces that snapshots need.
struct SnapshotNeeds {
    private let history: History

    init(_ history: History) { self.history = history }

    /// Passes every piece that a snapshot needs to `body`, some perhaps more than once. If an expected snapshot's
    /// manifest is still to come, or a damaged manifest was discarded, these are only the manifest's own pieces.
    /// - Returns: true if these are all pieces
    @discardableResult
    func forEach(
        by snapshot: Snapshot,
        _ state: SnapshotCatalog.State,
        _ body: (PieceID) throws(HistoryError) -> Void
    ) throws(HistoryError) -> Bool {
        for piece in snapshot.manifest { try body(piece.id) }
        if state == .expected, try !history.missing(of: snapshot.manifest.lazy.map(\.id)).isEmpty { return false }
        guard let manifest = try manifest(of: snapshot, state) else { return false }
        var last: PieceID?
        for piece in manifest.pieces where piece.id != last {
            try body(piece.id)
            last = piece.id
        }
        return true
    }

    /// Reads a manifest; nil if a piece of it is missing because a repair discarded it.
    ///
    /// Throws if a piece is damaged and not discarded: a later attempt may read it. An expected snapshot's manifest
    /// that can't be decoded gives nil, because the peer's offer is about to be refused.
    func manifest(
        of snapshot: Snapshot,
        _ state: SnapshotCatalog.State
    ) throws(HistoryError) -> Manifest? {
        let limit = state == .expected ? Manifest.maximumForeignMemory : .max
        do throws(HistoryError) { return try history.storedManifest(of: snapshot, within: limit) } catch {
            guard error.isAbsence || (state == .expected && error.isLoss) else { throw error }
            return nil
        }
    }
}
