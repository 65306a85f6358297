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
            try forEachNeeded(by: try snapshot(id, entry), entry.state) { piece throws(HistoryError) in
                let found = try explaining { () throws(SystemError) in try live.base.find(piece) }
                if let found { _ = live.marks.insert(found.number) }
            }
            live.snapshots.insert(id)
        }
    }

    /// Hands over every piece that a snapshot needs, some perhaps more than once. Of one that is expected those that can be known.
    func forEachNeeded(
        by snapshot: Snapshot,
        _ state: SnapshotCatalog.State,
        _ body: (PieceID) throws(HistoryError) -> Void
    ) throws(HistoryError) {
        for piece in snapshot.manifest { try body(piece.id) }
        if state == .expected, try !missing(of: snapshot.manifest.lazy.map(\.id)).isEmpty { return }
        var last: PieceID?
        for piece in try manifest(of: snapshot).pieces where piece.id != last {
            try body(piece.id)
            last = piece.id
        }
    }
}
