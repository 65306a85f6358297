import Glibc
import LinuxPlatform
import SaveRules
import Synchronization

extension History {
    /// The number of bytes that are moved before packs are removed, so that a full disk gets space step by step.
    private static let groupLimit: UInt64 = 128 << 20

    /// Less garbage is not worth a move: notes and drop records alone amount to some of it.
    private static let leastGarbage: UInt64 = 4 << 10

    /// The number of unused bytes in a pack, and whether it is worth removing the pack for them.
    static func garbage(inPackOf length: UInt64, needing needed: UInt64) -> (bytes: UInt64, isWorthIt: Bool) {
        let content = length - min(length, UInt64(PackSeal.fileByteCount))
        let garbage = content - min(content, needed)
        return (garbage, needed <= content / 2 && garbage >= leastGarbage)
    }

    /// Removes pieces that are needed neither by a snapshot that is kept or expected nor by a batch that still exists.
    ///
    /// Packs in which nothing is needed are removed. If at most half of a pack is needed, that part is moved and the
    /// pack is removed. Other threads read and write meanwhile. A crash at any moment loses the work since the last
    /// group of packs, and nothing that is needed.
    ///
    /// - Throws: before anything is removed, if a damaged record or a missing pack may hide which pieces are needed
    @discardableResult
    public func collectGarbage() throws(HistoryError) -> GarbageReport {
        try requireWriting()
        return try underCare { () throws(HistoryError) in try collect() }
    }

    /// Runs one check or collection at a time.
    func underCare<Value>(_ body: () throws(HistoryError) -> Value) throws(HistoryError) -> Value {
        let isFree = shared.withLock { shared in
            defer { shared.isUnderCare = true }
            return !shared.isUnderCare
        }
        guard isFree else { throw .underCare() }
        defer { shared.withLock { $0.isUnderCare = false } }
        return try body()
    }

    private func collect() throws(HistoryError) -> GarbageReport {
        guard !shared.withLock({ $0.isDamaged }) else { throw .damagedPacks() }
        guard try !missesPacks() else { throw .missingPacks() }
        // From here on the index file has every piece that was there before, and each mark has the number of an index
        // entry.
        let base = try writer.withLock { writer throws(HistoryError) -> IndexBase in
            try confirm(&writer)
            try saveIndex()
            guard let base = shared.withLock({ $0.base }) else { preconditionFailure("an index was saved") }
            return base
        }
        try removeCollected()
        var live = LiveMarks(base)
        try mark(&live)
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

    /// True while a pack is missing that may have said which pieces are needed, until a repair gives the pack up. If
    /// the user puts the pack back, the other pieces that its snapshots need must still be there.
    func missesPacks() throws(HistoryError) -> Bool {
        let (isLost, isWaiting, lacking) = shared.withLock { shared in
            (!shared.stillLost.isEmpty, !shared.lostPacks.isSubset(of: shared.abandonedPacks), shared.lacking.keys)
        }
        if isLost { return true }
        guard isWaiting else { return false }
        for id in lacking {
            guard let entry = shared.withLock({ $0.catalog[id] }), entry.state == .kept,
                let snapshot = try readable(id, entry)
            else { continue }
            if try !missing(of: snapshot.manifest.lazy.map(\.id)).isEmpty { return true }
        }
        return false
    }

    /// Removes packs that an earlier collection could not remove. This comes first: the index is about to forget why
    /// they are not needed.
    private func removeCollected() throws(HistoryError) {
        let collected = shared.withLock { $0.collected }
        guard !collected.isEmpty else { return }
        try explaining { () throws(SystemError) in
            for number in collected {
                do throws(SystemError) { try calls.remove(folder, PackFile.name(number)) } catch {
                    guard error.number == ENOENT else { throw error }
                }
            }
            try calls.syncFolder(folder)
        }
        shared.withLock { $0.collected.subtract(collected) }
    }

    /// Packs that are worth collecting, those with the fewest bytes to move first.
    private func choose(
        _ live: LiveMarks,
        _ report: inout GarbageReport
    ) throws(HistoryError) -> [(number: UInt32, needed: UInt64)] {
        var needed: [UInt32: UInt64] = [:]
        try live.base.forEach { number, entry throws(HistoryError) in
            let isNeeded = live.marks[number] || shared.withLock { $0.isProtected(entry.id) }
            if isNeeded { needed[entry.location.place.pack, default: 0] += entry.location.recordCount }
        }
        return try writer.withLock { writer throws(HistoryError) in
            let packs = shared.withLock { shared in
                for entry in shared.catalog.entries.values where entry.state != .dropped {
                    needed[entry.location.place.pack, default: 0] += entry.location.recordCount
                }
                return shared.packs
            }
            var chosen: [(number: UInt32, needed: UInt64)] = []
            for (number, length) in packs {
                let rest = needed[number, default: 0]
                let garbage = Self.garbage(inPackOf: length, needing: rest)
                guard garbage.isWorthIt else {
                    report.remainingGarbage += garbage.bytes
                    continue
                }
                // Pieces that were put since the marks were made are not counted. So the pack that grows stays while it
                // grows fast.
                if writer.active?.number == number { try endPack(&writer) }
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
        try writer.withLock { writer throws(HistoryError) in
            try confirm(&writer)
            // If a write of another thread failed, the moved records were taken back, too: the old packs have the only
            // copy.
            if let cause = writer.takenBack.cause, writer.takenBack.count != takenBack { throw cause }
            let freed = shared.withLock { shared in
                defer { shared.forget(packs: gone) }
                return gone.reduce(0) { $0 + shared.packs[$1, default: 0] }
            }
            // The next opening must not look for removed packs, and it removes those whose files are still there.
            try saveIndex()
            for number in gone {
                try explaining { () throws(SystemError) in try calls.remove(folder, PackFile.name(number)) }
            }
            // The removal must be durable before a later collection forgets the reason: otherwise a dropped snapshot
            // could return with its pack after a power cut.
            try explaining { () throws(SystemError) in try calls.syncFolder(folder) }
            shared.withLock { $0.collected.subtract(gone) }
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
        try writer.withLock { writer throws(HistoryError) in
            try confirm(&writer)
            // Includes snapshots that were appended meanwhile.
            try mark(&live)
            let marks = live.marks
            var forgotten: Set<PieceID> = []
            var isDone = false
            // A batch claims a piece without the writer's lock, and so may claim one of these after it was judged: the
            // batch has learned that the piece is there. In that case the index is written again.
            while !isDone {
                let protected = shared.withLock { $0.protected }
                forgotten = []
                isDone = try saveIndex(comparedTo: live.base) { id, location, number in
                    guard packs.contains(location.place.pack), let number, !marks[number],
                        !protected.values.contains(where: { $0.contains(id) })
                    else { return true }
                    forgotten.insert(id)
                    return false
                } where: { shared in
                    !shared.protected.contains { batch, claimed in
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
            try shared.withLock { shared throws(SystemError) in
                (try shared.file(number, in: folder), shared.packs[number, default: 0])
            }
        }
        var scan = PackScan(file, from: UInt64(PackSeal.fileByteCount), to: length, sealedBy: seal)
        var isWhole = true
        while true {
            switch try explaining({ () throws(SystemError) in try scan.next() }) {
            case .end: return isWhole
            case .gap: isWhole = false
            case .record(let header, let offset):
                let place = RecordPlace(pack: number, offset: UInt32(offset))
                guard try isNeeded(header, at: place) else { continue }
                let record = try record(header, offset, in: file)
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
        case .piece: return try location(of: PieceID(header.id))?.place == place
        case .snapshot, .expected:
            return shared.withLock { shared in
                let entry = shared.catalog[SnapshotID(header.id)]
                return entry?.location.place == place && entry?.state != .dropped
            }
        // As long as another pack has a record of the snapshot, the snapshot would be kept again without this one.
        case .drop: return shared.withLock { $0.catalog[SnapshotID(header.id)]?.state == .dropped }
        case .flushed, .void: return false
        }
    }

    private func moved(_ record: Record, from place: RecordPlace) throws(HistoryError) -> Bool {
        try writer.withLock { writer throws(HistoryError) in
            // The record may have been dropped since the first look.
            guard try isNeeded(record.header, at: place) else { return false }
            try append(record, &writer)
            return true
        }
    }
}
