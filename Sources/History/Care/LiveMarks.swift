import LinuxPlatform
import SaveRules
import Synchronization

/// Marks for the pieces of an index that are needed.
struct LiveMarks {
    let base: IndexBase
    var marks: BitSet
    /// The snapshots whose needs are marked.
    var snapshots: Set<SnapshotID> = []

    init(_ base: IndexBase) {
        self.base = base
        marks = BitSet(count: base.count)
    }
}

extension History {
    /// Marks all pieces that the snapshots of the catalog need, except the snapshots that are marked already.
    ///
    /// - Throws: if a kept snapshot can't be read, because then the pieces that it needs are unknown
    func mark(_ live: inout LiveMarks) throws(HistoryError) {
        let entries = shared.withLock { $0.catalog.entries.filter { $0.value.state != .dropped } }
        for (id, entry) in entries where !live.snapshots.contains(id) {
            let isAll = try forEachNeeded(by: try snapshot(id, entry), entry.state) { piece throws(HistoryError) in
                let found = try explaining { () throws(SystemError) in try live.base.find(piece) }
                if let found { _ = live.marks.insert(found.number) }
            }
            // The manifest of an expected snapshot may have arrived by the next time.
            if isAll { live.snapshots.insert(id) }
        }
    }

    /// Passes every piece that a snapshot needs to `body`, some perhaps more than once. If an expected snapshot's
    /// manifest is still to come, or a damaged manifest was discarded, these are only the manifest's own pieces.
    /// - Returns: true if these are all pieces
    @discardableResult
    func forEachNeeded(
        by snapshot: Snapshot,
        _ state: SnapshotCatalog.State,
        _ body: (PieceID) throws(HistoryError) -> Void
    ) throws(HistoryError) -> Bool {
        for piece in snapshot.manifest { try body(piece.id) }
        if state == .expected, try !missing(of: snapshot.manifest.lazy.map(\.id)).isEmpty { return false }
        guard let manifest = try knownManifest(of: snapshot, state) else { return false }
        var last: PieceID?
        for piece in manifest.pieces where piece.id != last {
            try body(piece.id)
            last = piece.id
        }
        return true
    }

    /// Reads a snapshot; nil if it is damaged.
    func readable(_ id: SnapshotID, _ entry: SnapshotCatalog.Entry) throws(HistoryError) -> Snapshot? {
        do throws(HistoryError) { return try snapshot(id, entry) } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    /// Reads a manifest; nil if a piece of it is missing because a repair discarded it.
    ///
    /// Throws if a piece is damaged and not discarded: a later attempt may read it. An expected snapshot's manifest
    /// that can't be decoded gives nil, because the peer's offer is about to be refused.
    func knownManifest(
        of snapshot: Snapshot,
        _ state: SnapshotCatalog.State
    ) throws(HistoryError) -> Manifest? {
        do throws(HistoryError) { return try manifest(of: snapshot) } catch {
            guard error.isAbsence || (state == .expected && error.isLoss) else { throw error }
            return nil
        }
    }
}
