import Glibc
import LinuxPlatform
import SaveRules
import Synchronization

extension History {
    /// So many bytes are moved before packs are removed, so that a full disk is relieved step by step.
    private static let groupLimit: UInt64 = 128 << 20

    /// Less is not worth a move: notes and drops alone come to some of it.
    private static let leastGarbage: UInt64 = 4 << 10

    /// How much of a pack nobody needs, and whether the pack is worth to be removed for that.
    static func garbage(inPackOf length: UInt64, needing needed: UInt64) -> (bytes: UInt64, isWorthIt: Bool) {
        let content = length - min(length, UInt64(PackSeal.fileByteCount))
        let garbage = content - min(content, needed)
        return (garbage, needed <= content / 2 && garbage >= leastGarbage)
    }

    /// Removes what no snapshot needs that is kept or expected, and no batch that goes on has put or claimed. Packs without anything needed go
    /// as a whole; of those of which half is not needed, the rest is moved.
    ///
    /// Others read and write meanwhile. A crash at any moment costs what was done since the last group of packs, and nothing that is needed.
    ///
    /// - Throws: before anything was removed, when something damaged, or a pack that is gone, may hide what is needed
    @discardableResult
    public func collectGarbage() throws(HistoryError) -> GarbageReport {
        try requireWriting()
        return try underCare { () throws(HistoryError) in try collect() }
    }

    /// Does one piece of care at a time.
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
        // From here on the index file has everything that was there before, and marks have numbers to stand for.
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

    /// Whether something was in packs that are gone without which nobody knows what is needed, and it is waited for: should such a pack be put back,
    /// what else it needs has to be there.
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

    /// Packs that an earlier collection could not remove go before anything else does: why they are not needed is about to be forgotten.
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

    /// The packs that are worth it, those with the least to move first.
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
                // What was put since the marks were made is not counted, so the pack that grows is left alone while it grows fast.
                if writer.active?.number == number { try endPack(&writer) }
                chosen.append((number, rest))
            }
            return chosen.sorted { ($0.needed, $0.number) < ($1.needed, $1.number) }
        }
    }

    /// Forgets what is not needed in some packs, moves what is, and removes the packs.
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
            // A write of somebody else that failed has taken back what was moved as well: the old packs have the only copy.
            if let cause = writer.takenBack.cause, writer.takenBack.count != takenBack { throw cause }
            let freed = shared.withLock { shared in
                defer { shared.forget(packs: gone) }
                return gone.reduce(0) { $0 + shared.packs[$1, default: 0] }
            }
            // The next opening must not look for packs that are gone, and removes those that are not gone yet.
            try saveIndex()
            for number in gone {
                try explaining { () throws(SystemError) in try calls.remove(folder, PackFile.name(number)) }
            }
            // That they are gone has to last before a later collection forgets why: a dropped snapshot must not come back with its pack.
            try explaining { () throws(SystemError) in try calls.syncFolder(folder) }
            shared.withLock { $0.collected.subtract(gone) }
            report.removedPacks += gone.count
            report.freedBytes += freed - min(freed, report.movedBytes - movedBefore)
        }
    }

    /// From here on what is not needed in these packs is not there for anybody. Who puts it anew stores it anew.
    ///
    /// - Returns: how many pieces that were, and how often anything had been taken back until then
    private func forget(
        _ packs: Set<UInt32>,
        _ live: inout LiveMarks
    ) throws(HistoryError) -> (count: Int, takenBack: Int) {
        try writer.withLock { writer throws(HistoryError) in
            try confirm(&writer)
            // Snapshots that were appended meanwhile.
            try mark(&live)
            let marks = live.marks
            var forgotten: Set<PieceID> = []
            var isDone = false
            // To claim something nobody has to wait for the writer. Who has done so meanwhile was told that it is there.
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

    /// Moves what is known to be in a pack into the one that grows.
    ///
    /// - Returns: whether nothing known is left in it
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
        // As long as a pack has a record of the snapshot, it would be kept again.
        case .drop: return shared.withLock { $0.catalog[SnapshotID(header.id)]?.state == .dropped }
        case .flushed, .void: return false
        }
    }

    private func moved(_ record: Record, from place: RecordPlace) throws(HistoryError) -> Bool {
        try writer.withLock { writer throws(HistoryError) in
            // It may have been dropped since.
            guard try isNeeded(record.header, at: place) else { return false }
            try append(record, &writer)
            return true
        }
    }
}
