import Glibc
import LinuxPlatform
import SaveRules
import Synchronization

extension History {
    /// Removes pieces that are needed neither by a snapshot that is kept or expected nor by a batch that still exists.
    ///
    /// Packs in which nothing is needed are removed. If at most half of a pack is needed, that part is moved and the
    /// pack is removed. Other threads read and write meanwhile. A crash at any moment loses the work since the last
    /// group of packs, and nothing that is needed.
    ///
    /// - Throws: before anything is removed, if a damaged record or a missing pack may hide which pieces are needed
    @discardableResult
    public func collectGarbage() throws(HistoryError) -> GarbageReport {
        try store.requireWriting()
        return try store.underCare { () throws(HistoryError) in try GarbageCollector(self).collect() }
    }
}

/// One collection of garbage.
private struct GarbageCollector {
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

    /// The number of bytes that are moved before packs are removed, so that a full disk gets space step by step.
    private static let groupLimit: UInt64 = 128 << 20

    func collect() throws(HistoryError) -> GarbageReport {
        guard !store.shared.withLock({ $0.isDamaged }) else { throw .damagedPacks() }
        guard try !RecordReader(store).missesPacks() else { throw .missingPacks() }
        // From here on, the index file has every piece that was there before. Each mark has the number of an index
        // entry.
        let base = try store.writer.withLock { writer throws(HistoryError) -> IndexBase in
            try records.confirm(&writer)
            try index.save()
            guard let base = store.shared.withLock({ $0.base }) else { preconditionFailure("an index was saved") }
            return base
        }
        try removeCollected()
        var live = LiveMarks(base)
        try live.mark(history)
        var report = GarbageReport()
        let packs = try choose(live, &report)
        var group: (packs: Set<UInt32>, moved: UInt64) = ([], 0)
        for pack in packs {
            group.packs.insert(pack.number)
            group.moved += pack.needed
            guard group.moved >= Self.groupLimit else { continue }
            try remove(group.packs, &live, &report)
            group = ([], 0)
        }
        if !group.packs.isEmpty { try remove(group.packs, &live, &report) }
        return report
    }

    /// Removes packs that an earlier collection could not remove. This comes first, because the index soon forgets the
    /// reason why they are not needed.
    private func removeCollected() throws(HistoryError) {
        let collected = store.shared.withLock { $0.packs.collected }
        guard !collected.isEmpty else { return }
        try explaining { () throws(SystemError) in
            for number in collected {
                do throws(SystemError) { try store.calls.remove(store.folder, PackFile.name(number)) } catch {
                    guard error.number == ENOENT else { throw error }
                }
            }
            try store.calls.syncFolder(store.folder)
        }
        store.shared.withLock { $0.packs.collected.subtract(collected) }
    }

    /// Packs that are worth collecting, those with the fewest bytes to move first.
    private func choose(
        _ live: LiveMarks,
        _ report: inout GarbageReport
    ) throws(HistoryError) -> [(number: UInt32, needed: UInt64)] {
        var needed: [UInt32: UInt64] = [:]
        try live.base.forEach { number, entry throws(HistoryError) in
            let isNeeded = live.marks[number] || store.shared.withLock { $0.claims.include(entry.id) }
            if isNeeded { needed[entry.location.place.pack, default: 0] += entry.location.recordCount }
        }
        return try store.writer.withLock { writer throws(HistoryError) in
            let packs = store.shared.withLock { shared in
                for entry in shared.catalog.entries.values where entry.state != .dropped {
                    needed[entry.location.place.pack, default: 0] += entry.location.recordCount
                }
                return shared.packs.lengths
            }
            var chosen: [(number: UInt32, needed: UInt64)] = []
            for (number, length) in packs {
                let rest = needed[number, default: 0]
                let garbage = GarbageReport.garbage(inPackOf: length, needing: rest)
                guard garbage.isWorthIt else {
                    report.remainingGarbage += garbage.bytes
                    continue
                }
                // Pieces that were put since the marks were made are not counted. So the pack that grows stays while it
                // grows fast.
                if writer.active?.number == number { try records.endPack(&writer) }
                chosen.append((number, rest))
            }
            return chosen.sorted { ($0.needed, $0.number) < ($1.needed, $1.number) }
        }
    }

    /// Forgets the unused pieces of some packs, moves the used ones, and removes the packs.
    private func remove(
        _ packs: Set<UInt32>,
        _ live: inout LiveMarks,
        _ report: inout GarbageReport
    ) throws(HistoryError) {
        let (removed, takenBack) = try forget(packs, &live)
        report.removedPieces += removed
        let movedBefore = report.movedBytes
        var gone: Set<UInt32> = []
        for number in packs.sorted() {
            if try move(number, &report) { gone.insert(number) } else { report.damagedPacks += 1 }
        }
        try store.writer.withLock { writer throws(HistoryError) in
            try records.confirm(&writer)
            // If a write of another thread failed, the moved records were taken back, too. Then the old packs have the
            // only copy.
            if let cause = writer.takenBack.cause, writer.takenBack.count != takenBack { throw cause }
            let freed = store.shared.withLock { shared in
                defer { shared.forget(packs: gone) }
                return gone.reduce(0) { $0 + shared.packs.lengths[$1, default: 0] }
            }
            // The next opening must not look for removed packs, and it removes those whose files are still there.
            try index.save()
            for number in gone {
                try explaining { () throws(SystemError) in try store.calls.remove(store.folder, PackFile.name(number)) }
            }
            // The removal must be durable before a later collection forgets the reason: otherwise a dropped snapshot
            // could return with its pack after a power cut.
            try explaining { () throws(SystemError) in try store.calls.syncFolder(store.folder) }
            store.shared.withLock { $0.packs.collected.subtract(gone) }
            report.removedPacks += gone.count
            report.freedBytes += freed - min(freed, report.movedBytes - movedBefore)
        }
    }

    /// Removes the unused pieces of these packs from the index. A thread that puts such a piece later stores it again.
    ///
    /// - Returns: the number of removed pieces, and ``WriterState/takenBack``'s count at that moment
    private func forget(
        _ packs: Set<UInt32>,
        _ live: inout LiveMarks
    ) throws(HistoryError) -> (count: Int, takenBack: Int) {
        try store.writer.withLock { writer throws(HistoryError) in
            try records.confirm(&writer)
            // Includes snapshots that were appended meanwhile.
            try live.mark(history)
            let marks = live.marks
            var forgotten: Set<PieceID> = []
            var isDone = false
            // A batch claims a piece without the writer's lock, and so may claim one of these after it was judged: the
            // batch has learned that the piece is there. In that case the index is written again.
            while !isDone {
                let protected = store.shared.withLock { $0.claims.pieces }
                forgotten = []
                isDone = try index.save(comparedTo: live.base) { id, location, number in
                    guard packs.contains(location.place.pack), let number, !marks[number],
                        !protected.values.contains(where: { $0.contains(id) })
                    else { return true }
                    forgotten.insert(id)
                    return false
                } where: { shared in
                    !shared.claims.pieces.contains { batch, claimed in
                        claimed.count != protected[batch]?.count && !claimed.isDisjoint(with: forgotten)
                    }
                }
            }
            return (forgotten.count, writer.takenBack.count)
        }
    }

    /// Moves the used records of a pack into the pack that grows.
    ///
    /// - Returns: true if no used record is left in it; false after damage
    private func move(_ number: UInt32, _ report: inout GarbageReport) throws(HistoryError) -> Bool {
        let (file, length) = try explaining { () throws(SystemError) in
            try store.shared.withLock { shared throws(SystemError) in
                (try shared.packs.file(number, in: store.folder), shared.packs.lengths[number, default: 0])
            }
        }
        var scan = PackScan(file, from: UInt64(PackSeal.fileByteCount), to: length, sealedBy: store.seal)
        var isWhole = true
        while true {
            switch try explaining({ () throws(SystemError) in try scan.next() }) {
            case .end: return isWhole
            case .gap: isWhole = false
            case .record(let header, let offset):
                let place = RecordPlace(pack: number, offset: UInt32(offset))
                guard try isNeeded(header, at: place) else { continue }
                let record = try store.record(header, offset, in: file)
                guard record.isSound else {
                    isWhole = false
                    continue
                }
                if try moved(record, from: place) { report.movedBytes += UInt64(header.recordCount) }
            }
        }
    }

    private func isNeeded(_ header: RecordHeader, at place: RecordPlace) throws(HistoryError) -> Bool {
        switch header.kind {
        case .piece: return try store.location(of: PieceID(header.id))?.place == place
        case .snapshot, .expected:
            return store.shared.withLock { shared in
                let entry = shared.catalog[SnapshotID(header.id)]
                return entry?.location.place == place && entry?.state != .dropped
            }
        // As long as another pack has a record of the snapshot, the snapshot would be kept again without this drop
        // record.
        case .drop: return store.shared.withLock { $0.catalog[SnapshotID(header.id)]?.state == .dropped }
        case .flushed, .void: return false
        }
    }

    private func moved(_ record: Record, from place: RecordPlace) throws(HistoryError) -> Bool {
        try store.writer.withLock { writer throws(HistoryError) in
            // The record may have been dropped since the first check.
            guard try isNeeded(record.header, at: place) else { return false }
            try records.append(record, &writer)
            return true
        }
    }
}
