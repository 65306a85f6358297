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

    /// Marks all pieces that the snapshots of the catalog need, except the snapshots that are marked already.
    ///
    /// - Throws: if a kept snapshot can't be read, because then the pieces that it needs are unknown
    mutating func mark(_ history: History) throws(HistoryError) {
        let records = RecordReader(history.store)
        let entries = history.store.shared.withLock { $0.catalog.entries.filter { $0.value.state != .dropped } }
        for (id, entry) in entries where !snapshots.contains(id) {
            let isAll = try SnapshotNeeds(history).forEach(by: records.snapshot(id, entry), entry.state) {
                piece throws(HistoryError) in
                let found = try explaining { () throws(SystemError) in try base.find(piece) }
                if let found { _ = marks.insert(found.number) }
            }
            // The manifest of an expected snapshot may have arrived by the next time.
            if isAll { snapshots.insert(id) }
        }
    }
}
