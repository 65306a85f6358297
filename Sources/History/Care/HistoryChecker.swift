import Digests
import LinuxPlatform
import SaveRules
import Synchronization

extension History {
    /// Reads all packs and compares every record with its digest, the index with the packs, and the pieces with those
    /// that the snapshots need.
    ///
    /// Other threads read and write meanwhile. The check ignores records that are written after it has begun.
    ///
    /// - Parameter repairing: true to rebuild a wrong index and to discard damaged records, so that their pieces count
    ///   as missing and can be put again. A repair drops no snapshot that can be read.
    public func check(repairing: Bool = false) throws(HistoryError) -> HistoryCheck {
        if repairing { try store.requireWriting() }
        return try store.underCare { () throws(HistoryError) in try HistoryChecker(self).check(repairing) }
    }
}

/// One check of a history, with its repair.
private struct HistoryChecker {
    private let history: History
    private let store: HistoryStore
    private let records: RecordWriter
    private let index: IndexWriter

    init(_ history: History) {
        self.history = history
        store = history.store
        records = RecordWriter(store)
        index = IndexWriter(store)
    }

    func check(_ repairing: Bool) throws(HistoryError) -> HistoryCheck {
        let view = try store.writer.withLock { writer throws(HistoryError) in
            if store.access == .writing {
                try records.confirm(&writer)
                // A check without repair needs no space on the disk: it can do without a new index file.
                do throws(HistoryError) { try index.save() } catch { if repairing { throw error } }
            }
            return store.shared.withLock {
                View(
                    base: $0.base,
                    packs: $0.packs.lengths,
                    catalog: $0.catalog,
                    recent: $0.recent,
                    lost: $0.stillLost
                )
            }
        }
        var check = HistoryCheck()
        let proven = try inspectPacks(view, &check)
        check.touched = try touchedSnapshots(view.catalog, proven, &check) + HistoryCheck.Touched.all(view.lost)
        guard repairing else { return check }
        let isMissing = try RecordReader(store).missesPacks()
        let isRepairable = !check.damages.isEmpty || !check.isIndexSound || isMissing
        if isRepairable || store.shared.withLock({ $0.isDamaged }) {
            try repair(check)
            check.isRepaired = true
        }
        return check
    }

    /// The state at the beginning of the check. Records that are appended later are in none of the packs that it reads.
    private struct View {
        let base: IndexBase?
        let packs: [UInt32: UInt64]
        let catalog: SnapshotCatalog
        let recent: [PieceID: PieceLocation]
        let lost: [SnapshotID: SnapshotCatalog.Entry]
    }

    /// Pieces and snapshots that the packs hold intact at the place that the index names.
    private struct Proven {
        let base: IndexBase?
        var pieces: BitSet
        var recent: Set<PieceID> = []
        var snapshots: [SnapshotID: Set<RecordPlace>] = [:]
    }

    private func inspectPacks(_ view: View, _ check: inout HistoryCheck) throws(HistoryError) -> Proven {
        let (base, catalog, recent) = (view.base, view.catalog, view.recent)
        var proven = Proven(base: base, pieces: BitSet(count: base?.count ?? 0))
        var isUnknown: Set<PieceID> = []
        for (number, length) in view.packs.sorted(by: { $0.key < $1.key }) {
            let file = try store.pack(number)
            let found = try PackInspector(store).inspect(file, to: length)
            check.packs += 1
            check.bytes += length
            check.pieces += found.pieces.count
            check.damages += found.damages
            for (id, location) in found.pieces {
                let known = try explaining { () throws(SystemError) in try base?.find(id) }
                if recent[id] == location {
                    proven.recent.insert(id)
                } else if let known, known.location == location {
                    _ = proven.pieces.insert(known.number)
                } else if known == nil, recent[id] == nil {
                    isUnknown.insert(id)
                }
            }
            for (id, location) in found.snapshots {
                proven.snapshots[id, default: []].insert(location.place)
                if catalog[id] == nil { check.isIndexSound = false }
            }
        }
        try compareWithIndex(proven, base, catalog, &check)
        check.forgotten = isUnknown
        return proven
    }

    /// Finds pieces and snapshots that are in the index and not in the packs, except those whose damage was found.
    private func compareWithIndex(
        _ proven: Proven,
        _ base: IndexBase?,
        _ catalog: SnapshotCatalog,
        _ check: inout HistoryCheck
    ) throws(HistoryError) {
        var damaged: Set<RecordPlace> = []
        for damage in check.damages {
            damaged.insert(RecordPlace(pack: damage.pack, offset: UInt32(damage.range.lowerBound)))
        }
        var isSound = check.isIndexSound
        try base?.forEach { number, entry throws(HistoryError) in
            if !proven.pieces[number], !damaged.contains(entry.location.place) { isSound = false }
        }
        for (id, entry) in catalog.entries where entry.state != .dropped {
            let isFound = proven.snapshots[id]?.contains(entry.location.place) ?? false
            if !isFound, !damaged.contains(entry.location.place) { isSound = false }
        }
        check.isIndexSound = isSound
    }

    private func isProven(_ piece: PieceID, _ proven: Proven) throws(HistoryError) -> Bool {
        if proven.recent.contains(piece) { return true }
        let found = try explaining { () throws(SystemError) in try proven.base?.find(piece) }
        if let found { return proven.pieces[found.number] }
        return false
    }

    // MARK: Damage to snapshots

    private func touchedSnapshots(
        _ catalog: SnapshotCatalog,
        _ proven: Proven,
        _ check: inout HistoryCheck
    ) throws(HistoryError) -> [HistoryCheck.Touched] {
        var touched: [HistoryCheck.Touched] = []
        for id in catalog.ids(.kept).sorted() {
            check.snapshots += 1
            guard let entry = catalog[id], proven.snapshots[id]?.contains(entry.location.place) ?? false,
                let snapshot = try? RecordReader(store).snapshot(id, entry)
            else {
                touched.append(HistoryCheck.Touched(snapshot: id, set: catalog[id]?.set, pieces: [], files: []))
                continue
            }
            if let found = try self.touched(by: snapshot, proven, &check) { touched.append(found) }
        }
        return touched
    }

    private func touched(
        by snapshot: Snapshot,
        _ proven: Proven,
        _ check: inout HistoryCheck
    ) throws(HistoryError) -> HistoryCheck.Touched? {
        var (lost, seen) = ([PieceID](), Set<PieceID>())
        func isLost(_ piece: PieceID) throws(HistoryError) -> Bool {
            guard try !isProven(piece, proven) else { return false }
            // The piece is intact, and only the index does not know it: a repair adds it to the index.
            if check.forgotten.contains(piece) {
                check.isIndexSound = false
                return false
            }
            if seen.insert(piece).inserted { lost.append(piece) }
            return true
        }
        for piece in snapshot.manifest { _ = try isLost(piece.id) }
        var files: [SavePath] = []
        if lost.isEmpty, let manifest = try? history.storedManifest(of: snapshot) {
            for entry in manifest.entries {
                var isTouched = false
                for piece in entry.file?.pieces ?? [] where try isLost(piece.id) { isTouched = true }
                if isTouched { files.append(entry.path) }
            }
        }
        guard !lost.isEmpty else { return nil }
        return HistoryCheck.Touched(snapshot: snapshot.id, set: snapshot.set, pieces: lost, files: files)
    }

    // MARK: Repair

    /// Overwrites damaged records in place and rebuilds the index from the rest. After an interruption at any step the
    /// next check finds what is left to do.
    private func repair(_ check: HistoryCheck) throws(HistoryError) {
        try store.writer.withLock { writer throws(HistoryError) in
            try records.endPack(&writer)
            // An index that outlives this would lead readers to discarded records. This forgets lost snapshots as well.
            store.shared.withLock { $0.losses.abandoned = $0.losses.packs }
            index.leaveNone()
            try explaining { () throws(SystemError) in
                try store.calls.syncFolder(store.folder)
                for damage in check.damages { try giveUp(damage) }
            }
            try HistoryLoader(store).reload(&writer)
            try index.save()
        }
    }

    private func giveUp(_ damage: HistoryCheck.Damage) throws(SystemError) {
        let file = try store.folder.open(PackFile.name(damage.pack), for: .readingAndWriting)
        var bytes: [UInt8] = []
        if damage.lost == .head {
            bytes = store.seal.head(ofPack: damage.pack)
        } else if try damage.range.upperBound > UInt64(file.facts().size) || damage.range.count < RecordHeader.byteCount
        {
            // The pack has become shorter since it was read.
            try store.calls.truncate(file, damage.range.lowerBound)
            return try store.calls.sync(file)
        } else {
            var header = RecordHeader(.void, id: RecordHeader.noID)
            header.storedCount = damage.range.count - RecordHeader.byteCount
            header.append(to: &bytes, sealedBy: store.seal, pack: damage.pack, offset: damage.range.lowerBound)
        }
        let failure = bytes.withUnsafeBytes { bytes -> SystemError? in
            do throws(SystemError) { try store.calls.write(file, bytes, damage.range.lowerBound) } catch {
                return error
            }
            return nil
        }
        if let failure { throw failure }
        try store.calls.sync(file)
    }
}
