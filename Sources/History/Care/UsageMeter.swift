import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

extension History {
    /// Measures the disk usage of the history, in total and by game. Reads every snapshot's manifest, so it is slow.
    public func usage() throws(HistoryError) -> HistoryUsage {
        try UsageMeter(self).usage()
    }
}

/// One measurement of a history's disk usage.
private struct UsageMeter {
    private let history: History
    private let store: HistoryStore
    private let needs: SnapshotNeeds

    init(_ history: History) {
        self.history = history
        store = history.store
        needs = SnapshotNeeds(history)
    }

    func usage() throws(HistoryError) -> HistoryUsage {
        var usage = HistoryUsage()
        if store.access == .writing {
            try store.writer.withLock { writer throws(HistoryError) in
                try RecordWriter(store).confirm(&writer)
                try IndexWriter(store).save()
            }
        }
        let (base, catalog) = store.shared.withLock { ($0.base, $0.catalog) }
        guard let base else { return usage }
        usage.pieces = base.count
        // The owner of each piece: 0 is no game, 1 several games, otherwise the game's place among the shares plus 2.
        var owners = [UInt32](repeating: 0, count: base.count)
        for set in try history.sets().sorted(by: { $0.words < $1.words }) {
            let number = UInt32(usage.shares.count + 2)
            usage.shares.append(try share(of: set, number, base, catalog, &owners))
        }
        try add(base, catalog, owners, to: &usage)
        return usage
    }

    private func share(
        of set: SaveSetID,
        _ number: UInt32,
        _ base: IndexBase,
        _ catalog: SnapshotCatalog,
        _ owners: inout [UInt32]
    ) throws(HistoryError) -> HistoryUsage.Share {
        var share = HistoryUsage.Share(set: set)
        var seen = BitSet(count: base.count)
        var (stored, plain) = (UInt64(0), UInt64(0))
        for (id, entry) in catalog.entries where entry.set == set && entry.state != .dropped {
            if entry.state == .kept { share.snapshots += 1 }
            stored += entry.location.recordCount
            guard let snapshot = try RecordReader(store).readable(id, entry) else { continue }
            if entry.state == .kept, let manifest = try needs.manifest(of: snapshot, entry.state) {
                plain += manifest.size.bytes
            }
            try needs.forEach(by: snapshot, entry.state) { piece throws(HistoryError) in
                let found = try explaining { () throws(SystemError) in try base.find(piece) }
                guard let found, seen.insert(found.number) else { return }
                stored += found.location.recordCount
                owners[found.number] = owners[found.number] == 0 ? number : 1
            }
        }
        share.stored = ByteCount(stored)
        share.plain = ByteCount(plain)
        return share
    }

    private func add(
        _ base: IndexBase,
        _ catalog: SnapshotCatalog,
        _ owners: [UInt32],
        to usage: inout HistoryUsage
    ) throws(HistoryError) {
        var own = [UInt64](repeating: 0, count: usage.shares.count)
        var needed: [UInt32: UInt64] = [:]
        try base.forEach { number, entry throws(HistoryError) in
            guard owners[number] > 0 || store.shared.withLock({ $0.claims.include(entry.id) }) else { return }
            needed[entry.location.place.pack, default: 0] += entry.location.recordCount
            if owners[number] > 1 { own[Int(owners[number]) - 2] += entry.location.recordCount }
        }
        for entry in catalog.entries.values where entry.state != .dropped {
            needed[entry.location.place.pack, default: 0] += entry.location.recordCount
            guard let place = usage.shares.firstIndex(where: { $0.set == entry.set }) else { continue }
            own[place] += entry.location.recordCount
        }
        for place in usage.shares.indices { usage.shares[place].own = ByteCount(own[place]) }
        var onDisk: UInt64 = 0
        for entry in try explaining({ () throws(SystemError) in try store.folder.entries(limit: PackFile.fileLimit) }) {
            guard let name = entry.name, let facts = try? store.folder.facts(of: name) else { continue }
            onDisk += UInt64(facts.size)
        }
        usage.onDisk = ByteCount(onDisk)
        addGarbage(needed, to: &usage)
    }

    /// - Parameter needed: the number of used bytes of each pack
    private func addGarbage(_ needed: [UInt32: UInt64], to usage: inout HistoryUsage) {
        var (freed, remaining) = (UInt64(0), UInt64(0))
        for (number, length) in store.shared.withLock({ $0.packs.lengths }) {
            let rest = needed[number, default: 0]
            let garbage = GarbageReport.garbage(inPackOf: length, needing: rest)
            if garbage.isWorthIt { freed += length - rest } else { remaining += garbage.bytes }
        }
        (usage.garbage, usage.remainingGarbage) = (ByteCount(freed), ByteCount(remaining))
    }
}
