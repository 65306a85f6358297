import LinuxPlatform
import SaveRules
import Synchronization

/// Which pieces of an index are needed.
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
    /// Marks all that the snapshots in the catalog need, but for those that were marked before.
    ///
    /// - Throws: when a snapshot that is kept can't be read, for nobody knows then what it needs
    func mark(_ live: inout LiveMarks) throws(HistoryError) {
        let entries = shared.withLock { $0.catalog.entries.filter { $0.value.state != .dropped } }
        for (id, entry) in entries where !live.snapshots.contains(id) {
            let isAll = try forEachNeeded(by: try snapshot(id, entry), entry.state) { piece throws(HistoryError) in
                let found = try explaining { () throws(SystemError) in try live.base.find(piece) }
                if let found { _ = live.marks.insert(found.number) }
            }
            // What is to come of the others may be here the next time.
            if isAll { live.snapshots.insert(id) }
        }
    }

    /// Hands over every piece that a snapshot needs, some perhaps more than once. Of one that is expected, or whose manifest was damaged and
    /// given up, those that can be known.
    /// - Returns: whether these are all
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

    /// Nil where it is damaged.
    func readable(_ id: SnapshotID, _ entry: SnapshotCatalog.Entry) throws(HistoryError) -> Snapshot? {
        do throws(HistoryError) { return try snapshot(id, entry) } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    /// Nil where a piece of it was damaged and given up. What is damaged and was not given up may be read another time; but what has just come, and is
    /// no manifest at all, is about to be refused.
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
