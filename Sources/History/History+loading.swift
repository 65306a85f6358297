import Digests
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

/// How what is in the folder becomes known: from the index as far as it goes, and from the packs behind it.
extension History {
    /// Takes in everything, and makes the pack that grows ready. For a writer, once; a reader may do it again and again.
    func load(_ writer: inout WriterState) throws(HistoryError) {
        while true {
            do throws(HistoryError) {
                return try takeIn(&writer)
            } catch {
                // For a reader, the writer may have removed a pack since the folder was looked at.
                guard access == .reading, error.isOfMissingFile else { throw error }
                forgetAll()
            }
        }
    }

    /// What somebody else changed since. Everything that was known is known anew.
    func reload() throws(HistoryError) {
        try writer.withLock { writer throws(HistoryError) in try reload(&writer) }
    }

    /// The same for whoever has the writer.
    func reload(_ writer: inout WriterState) throws(HistoryError) {
        forgetAll()
        try load(&writer)
    }

    /// Forgets what is known of the folder, but not who works on it.
    func forgetAll() {
        shared.withLock { shared in
            var fresh = SharedState()
            (fresh.protected, fresh.lastBatch) = (shared.protected, shared.lastBatch)
            fresh.isUnderCare = shared.isUnderCare
            // A repair, after which the index names nothing that is kept, gives up what is lost as a whole. The rest is missed as before, and may be brought back.
            (fresh.lostPacks, fresh.abandonedPacks) = (shared.lostPacks, shared.abandonedPacks)
            // What a collection could not remove is not taken in again: what was dropped would be kept again with it.
            (fresh.lastPack, fresh.collected) = (shared.lastPack, shared.collected)
            shared = fresh
        }
    }

    private func takeIn(_ writer: inout WriterState) throws(HistoryError) {
        let numbers = try Self.packs(in: folder)
        var sizes: [UInt32: UInt64] = [:]
        for number in numbers {
            sizes[number] = try explaining { () throws(SystemError) in
                UInt64(try folder.facts(of: PackFile.name(number)).size)
            }
        }
        let index = try knownPacks(sizes)
        var grown: [LoadedPack] = []
        let collected = shared.withLock { $0.collected }
        for number in numbers {
            if collected.contains(number) {
                try removeAgain(number)
                continue
            }
            let start = index.packs[number] ?? 0
            shared.withLock { $0.lastPack = max($0.lastPack, number) }
            guard let size = sizes[number], start < size || size == 0 else { continue }
            if let pack = try load(number, from: start, to: size) { grown.append(pack) }
            // Where something was lost, an index of a part of the packs would say that it is kept again, whatever comes after that.
            guard access == .writing, index.lost.isEmpty, isIndexDue else { continue }
            // An index must not name what a power cut could still take.
            try flush(&grown)
            saveIndexIfLarge()
        }
        guard access == .writing else { return }
        try flush(&grown)
        // The number of a pack that was lost is given to no other: an old index would take that for it.
        shared.withLock { $0.lastPack = max($0.lastPack, index.last) }
        try takeUp(&writer)
        keepAgain(&writer)
        if !index.isWhole || shared.withLock({ !$0.lostPacks.isEmpty }) { findLacking() }
        // What was found to be lost now is known from nothing else by the next opening, which need not look for it once more. Without room for that it is found out
        // anew.
        // That something is lacking stands in no index, unless a pack is missed.
        let mayBeSaved = shared.withLock { $0.lacking.isEmpty || !$0.lostPacks.isEmpty || !$0.stillLost.isEmpty }
        if !index.isWhole, mayBeSaved { _ = try? saveIndex() }
    }

    /// What was lost with a pack that is there again is kept again. A record says so: by those that are there it may have been expected
    /// meanwhile, and given up. Where that can't be written, it is lost until the next opening.
    private func keepAgain(_ writer: inout WriterState) {
        let back = shared.withLock { shared in
            shared.stillLost.filter { shared.packs[$0.value.location.place.pack] != nil }
        }
        guard !back.isEmpty else { return }
        do throws(HistoryError) {
            for (id, entry) in back.sorted(by: { $0.key < $1.key }) {
                // The pack may have come back shorter, or damaged.
                guard var record = try record(at: entry.location), record.isSound, record.header.kind == .snapshot,
                    record.header.id == id.digest
                else { continue }
                record.set = entry.set
                try append(record, &writer)
            }
            try confirm(&writer)
        } catch {
            // It was taken back.
        }
    }

    /// A pack that was collected, and that a crash left or brought back: what was needed of it is elsewhere.
    private func removeAgain(_ number: UInt32) throws(HistoryError) {
        guard access == .writing else { return }
        try explaining { () throws(SystemError) in try calls.remove(folder, PackFile.name(number)) }
    }

    /// What an opening begins with beside the packs.
    private struct KnownIndex {
        /// How much of which packs is known by it.
        var packs: [UInt32: UInt64] = [:]
        /// The last pack that it has heard of, whether it fits or not.
        var last: UInt32 = 0
        /// What it had as lost.
        var lost: Set<SnapshotID> = []
        /// Nothing that is kept can lack a piece but what is known to.
        var isWhole = true
    }

    /// Takes over the index, if there is one that fits the packs. One that knows more of a pack than there is does: so it is known what was lost.
    private func knownPacks(_ sizes: [UInt32: UInt64]) throws(HistoryError) -> KnownIndex {
        let index = try explaining { () throws(SystemError) in try IndexFile.read(in: folder, sealedBy: seal) }
        guard let (contents, base) = index else {
            // As long as no number is missing nothing was moved: what a version needs stands before it, and was there when it was kept.
            return KnownIndex(isWhole: sizes.isEmpty || sizes.keys.max() == UInt32(sizes.count))
        }
        var known = KnownIndex(last: contents.lastPack, lost: Set(contents.lost.keys))
        guard isFitting(contents, sizes) else {
            let gone = contents.lostPacks.union(contents.packs.keys).subtracting(sizes.keys)
            shared.withLock { shared in
                shared.lost = supposedlyLost(contents)
                (shared.lostPacks, shared.abandonedPacks) = (gone, contents.abandonedPacks.intersection(gone))
                // Unless what was moved out of them may be gone by now.
                guard contents.packs.keys.allSatisfy({ sizes[$0] != nil }) else { return }
                shared.collected.formUnion(contents.collected.intersection(sizes.keys))
            }
            known.isWhole = false
            return known
        }
        shared.withLock { shared in
            (shared.base, shared.lost) = (base, contents.lost)
            (shared.lostPacks, shared.abandonedPacks) = (contents.lostPacks, contents.abandonedPacks)
            shared.catalog = contents.catalog
            shared.isDamaged = contents.isDamaged
            shared.lastPack = max(shared.lastPack, contents.lastPack)
            shared.collected = contents.collected.intersection(sizes.keys)
            (shared.packs, shared.flushed) = (contents.packs, contents.packs)
        }
        known.packs = contents.packs
        return known
    }

    private func isFitting(_ contents: IndexFile.Contents, _ sizes: [UInt32: UInt64]) -> Bool {
        guard contents.packs.allSatisfy({ sizes[$0.key] != nil }) else { return false }
        // What is not said to have been collected may have been gone and brought back, and have what is nowhere else.
        return sizes.keys.allSatisfy {
            $0 > contents.lastPack || contents.packs[$0] != nil || contents.collected.contains($0)
        }
    }

    /// What an index knew that doesn't fit the packs: lost is what they don't have either. Snapshots are compared, for a pack may have been
    /// collected and the index be one from before: then they were moved or dropped, and the packs say so.
    private func supposedlyLost(_ contents: IndexFile.Contents) -> [SnapshotID: SnapshotCatalog.Entry] {
        // A writer may have made and collected packs since a reader listed them.
        guard access == .writing else { return contents.lost }
        let kept = contents.catalog.entries.filter { $0.value.state == .kept }
        return contents.lost.merging(kept) { _, known in known }
    }

    /// Which snapshots lack something because a pack is gone, or was gone meanwhile. All their manifests are read for that, so only
    /// as long as one is, and where all was read anyway: where none lacks anything, it is missed no more.
    private func findLacking() {
        let lacking = shared.withLock { $0.catalog.entries }.filter { id, entry in
            // Whatever the reason, it can't be restored now; and what is only told keeps nobody from opening the history.
            entry.state == .kept && (try? requireWhole(snapshot(id, entry))) == nil
        }
        shared.withLock { shared in
            shared.lacking = lacking
            if lacking.isEmpty, shared.stillLost.isEmpty { (shared.lostPacks, shared.abandonedPacks) = ([], []) }
        }
    }

    /// A pack that had more than the index knew.
    private struct LoadedPack {
        let file: PackFile
        let length: UInt64
        /// Something at its end was written and never noted to be flushed.
        let isUnconfirmed: Bool
    }

    /// Takes in the records of a pack from a place on.
    private func load(_ number: UInt32, from start: UInt64, to size: UInt64) throws(HistoryError) -> LoadedPack? {
        let file = try openPack(number)
        let headCount = UInt64(PackSeal.fileByteCount)
        var tail = PackTail()
        var scan = PackScan(file, from: max(start, headCount), to: size, sealedBy: seal)
        var (end, flushed) = (max(start, headCount), start)
        loop: while true {
            switch try explaining({ () throws(SystemError) in try scan.next() }) {
            case .record(let header, let offset):
                if header.kind == .flushed {
                    if tail.gap != nil { shared.withLock { $0.isDamaged = true } }
                    try take(tail.records, of: file)
                    tail = PackTail()
                    (end, flushed) = (offset + UInt64(header.recordCount), offset)
                } else {
                    tail.records.append((header, offset))
                    if tail.records.count > WriterState.recordLimit { break loop }
                }
            case .gap(let range): tail.gap = tail.gap ?? range.lowerBound
            case .end: break loop
            }
        }
        let whole = try wholeRecords(of: tail, in: file)
        try take(whole, of: file)
        let length = whole.last.map { $0.offset + UInt64($0.header.recordCount) } ?? end
        if length <= headCount, start == 0 { return try giveUp(file, size) }
        shared.withLock { [flushed] in ($0.packs[number], $0.flushed[number]) = (length, flushed) }
        if length < size, access == .writing {
            try explaining { () throws(SystemError) in try calls.truncate(file.descriptor, length) }
        }
        return LoadedPack(file: file, length: length, isUnconfirmed: !whole.isEmpty || length < size)
    }

    private func openPack(_ number: UInt32) throws(HistoryError) -> PackFile {
        try explaining { () throws(SystemError) in
            PackFile(
                number,
                try folder.open(PackFile.name(number), for: access == .writing ? .readingAndWriting : .reading)
            )
        }
    }

    /// What follows the last note that everything before it was flushed. A power cut may have taken any part of it.
    private struct PackTail {
        var records: [(header: RecordHeader, offset: UInt64)] = []
        var gap: UInt64?
    }

    /// The records of a tail up to the first whose bytes did not all get to the disk.
    private func wholeRecords(
        of tail: PackTail,
        in file: PackFile
    ) throws(HistoryError) -> [(header: RecordHeader, offset: UInt64)] {
        var whole: [(header: RecordHeader, offset: UInt64)] = []
        for found in tail.records where found.offset < tail.gap ?? .max {
            // What was given up is whatever it is; what stands behind it was there before.
            if found.header.kind != .void {
                guard try record(found.header, found.offset, in: file).isSound else { break }
            }
            whole.append(found)
        }
        return whole
    }

    func record(_ header: RecordHeader, _ offset: UInt64, in file: PackFile) throws(HistoryError) -> Record {
        let body = try explaining { () throws(SystemError) in
            try file.read(header.storedCount, at: offset + UInt64(RecordHeader.byteCount))
        }
        return Record(header, body: body)
    }

    private func take(_ records: [(header: RecordHeader, offset: UInt64)], of file: PackFile) throws(HistoryError) {
        for (header, offset) in records {
            let location = PieceLocation(header, RecordPlace(pack: file.number, offset: UInt32(offset)))
            switch header.kind {
            case .piece: shared.withLock { $0.recent[PieceID(header.id)] = location }
            case .snapshot, .expected:
                let set = try set(of: header, offset, in: file)
                let state: SnapshotCatalog.State = header.kind == .snapshot ? .kept : .expected
                shared.withLock { $0.catalog.take(SnapshotID(header.id), set, state, location) }
            case .drop: shared.withLock { $0.drop(SnapshotID(header.id), at: location.place) }
            case .flushed, .void: break
            }
        }
    }

    /// Whose a snapshot is; nil where it can't be read, which is found out about again by whoever needs it.
    private func set(of header: RecordHeader, _ offset: UInt64, in file: PackFile) throws(HistoryError) -> SaveSetID? {
        let record = try record(header, offset, in: file)
        guard let plain = decompressors.lend({ record.plain(by: $0) }) else { return nil }
        return (try? Snapshot(kept: plain, hashedBy: Digest.sha256))?.set
    }

    /// A pack of which nothing was ever promised and nothing is whole, as a crash leaves it that comes while a pack is begun. What might have been
    /// more than that is set aside.
    private func giveUp(_ file: PackFile, _ size: UInt64) throws(HistoryError) -> LoadedPack? {
        guard access == .writing else { return nil }
        let name = PackFile.name(file.number)
        try explaining { () throws(SystemError) in
            if try isBeginning(file, size) {
                try calls.remove(folder, name)
            } else {
                try calls.rename(folder, name, IndexFile.fileName("damaged-\(name.text)"))
            }
        }
        return nil
    }

    /// Whether there is nothing but the head of a pack, or zeros that were never written to.
    private func isBeginning(_ file: PackFile, _ size: UInt64) throws(SystemError) -> Bool {
        var offset = UInt64(PackSeal.fileByteCount)
        while offset < size {
            let bytes = try file.read(Int(min(size - offset, 1 << 20)), at: offset)
            guard bytes.allSatisfy({ $0 == 0 }) else { return false }
            offset += UInt64(bytes.count)
        }
        return true
    }

    /// Flushes what was whole and perhaps not flushed.
    private func flush(_ grown: inout [LoadedPack]) throws(HistoryError) {
        guard grown.contains(where: \.isUnconfirmed) else { return }
        try explaining { () throws(SystemError) in
            for pack in grown where pack.isUnconfirmed {
                try calls.sync(pack.file.descriptor)
                shared.withLock { $0.flushed[pack.file.number] = pack.length }
            }
            try calls.syncFolder(folder)
        }
        grown = []
    }

    /// Goes on with the last pack if it has room.
    private func takeUp(_ writer: inout WriterState) throws(HistoryError) {
        let (last, length) = shared.withLock { ($0.lastPack, $0.packs[$0.lastPack]) }
        writer.nextNumber = last + 1
        guard let length, length >= UInt64(PackSeal.fileByteCount), length < writer.packLimit / 2 else { return }
        let file = try openPack(last)
        guard UInt64(try explaining { () throws(SystemError) in try file.descriptor.facts().size }) == length else {
            return
        }
        writer.active = file
        (writer.length, writer.confirmed) = (length, length)
        shared.withLock { $0.keepOpen(file) }
    }
}
