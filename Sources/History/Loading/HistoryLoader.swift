import Digests
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

/// Loading of the folder's state: from the index as far as it reaches, and from the packs for everything later.
struct HistoryLoader {
    private let store: HistoryStore

    init(_ store: HistoryStore) { self.store = store }

    /// Loads everything and prepares the pack that grows. A writer does this once; a reader does it for every refresh.
    func load(_ writer: inout WriterState) throws(HistoryError) {
        while true {
            do throws(HistoryError) {
                return try takeIn(&writer)
            } catch {
                // A reader's writer may have removed a pack since the reader listed the folder.
                guard store.access == .reading, error.isOfMissingFile else { throw error }
                forgetAll()
            }
        }
    }

    /// Loads again after another program may have changed the folder. Nothing that was known before is trusted.
    func reload() throws(HistoryError) {
        try store.writer.withLock { writer throws(HistoryError) in try reload(&writer) }
    }

    /// Reloads for a caller that holds the writer's lock.
    func reload(_ writer: inout WriterState) throws(HistoryError) {
        forgetAll()
        try load(&writer)
    }

    /// Forgets the state of the folder, but neither the batches in progress nor a running check or collection.
    private func forgetAll() {
        store.shared.withLock { shared in
            var fresh = SharedState()
            fresh.claims = shared.claims
            fresh.isUnderCare = shared.isUnderCare
            // A repair discards lost snapshots: after it the index names nothing that is kept. Missing packs stay
            // missing as before, and the user may put them back.
            (fresh.losses.packs, fresh.losses.abandoned) = (shared.losses.packs, shared.losses.abandoned)
            // A pack that a collection could not remove is not loaded again: otherwise snapshots that were dropped
            // would be kept again.
            (fresh.packs.last, fresh.packs.collected) = (shared.packs.last, shared.packs.collected)
            shared = fresh
        }
    }

    private func takeIn(_ writer: inout WriterState) throws(HistoryError) {
        let numbers = try PackFile.numbers(in: store.folder)
        var sizes: [UInt32: UInt64] = [:]
        for number in numbers {
            sizes[number] = try explaining { () throws(SystemError) in
                UInt64(try store.folder.facts(of: PackFile.name(number)).size)
            }
        }
        let index = try knownPacks(sizes)
        var grown: [LoadedPack] = []
        let collected = store.shared.withLock { $0.packs.collected }
        for number in numbers {
            if collected.contains(number) {
                try removeAgain(number)
                continue
            }
            let start = index.packs[number] ?? 0
            store.shared.withLock { $0.packs.last = max($0.packs.last, number) }
            guard let size = sizes[number], start < size || size == 0 else { continue }
            if let pack = try load(number, from: start, to: size) { grown.append(pack) }
            // After a loss, an index of only some of the packs would say that a lost snapshot is kept again, although a
            // later pack may drop it.
            guard store.access == .writing, index.lost.isEmpty, IndexWriter(store).isDue else { continue }
            // The index must not name records that a power cut could still take.
            try flush(&grown)
            IndexWriter(store).saveIfLarge()
        }
        guard store.access == .writing else { return }
        try flush(&grown)
        // A lost pack's number is not used again: an old index would take the new pack for the lost one.
        store.shared.withLock { $0.packs.last = max($0.packs.last, index.last) }
        try takeUp(&writer)
        keepAgain(&writer)
        if !index.isWhole || store.shared.withLock({ !$0.losses.packs.isEmpty }) { findIncomplete() }
        // Losses found just now are recorded only in the index, so that the next opening need not find them again. If
        // the disk is full, it does find them again. No index records that a snapshot is incomplete, except together
        // with a missing pack.
        let mayBeSaved = store.shared.withLock {
            $0.losses.incomplete.isEmpty || !$0.losses.packs.isEmpty || !$0.stillLost.isEmpty
        }
        if !index.isWhole, mayBeSaved { _ = try? IndexWriter(store).save() }
    }

    /// Keeps a lost snapshot again if its pack is back, and appends a record that says so. Without the record, the
    /// other packs may say that the snapshot was expected meanwhile and dropped. If the record can't be written, the
    /// snapshot stays lost until the next opening.
    private func keepAgain(_ writer: inout WriterState) {
        let back = store.shared.withLock { shared in
            shared.stillLost.filter { shared.packs.lengths[$0.value.location.place.pack] != nil }
        }
        guard !back.isEmpty else { return }
        do throws(HistoryError) {
            for (id, entry) in back.sorted(by: { $0.key < $1.key }) {
                // The pack may have come back shorter or damaged.
                guard var record = try RecordReader(store).record(at: entry.location), record.isSound,
                    record.header.kind == .snapshot,
                    record.header.id == id.digest
                else { continue }
                record.set = entry.set
                try RecordWriter(store).append(record, &writer)
            }
            try RecordWriter(store).confirm(&writer)
        } catch {
            // The records were taken back.
        }
    }

    /// Removes a pack that was collected and whose file a crash left or restored. Its used records are in other packs.
    private func removeAgain(_ number: UInt32) throws(HistoryError) {
        guard store.access == .writing else { return }
        try explaining { () throws(SystemError) in try store.calls.remove(store.folder, PackFile.name(number)) }
    }

    /// The knowledge that an opening takes from the index.
    private struct KnownIndex {
        /// The number of bytes of each pack that the index covers.
        var packs: [UInt32: UInt64] = [:]
        /// The greatest number of a pack that the index knows, even if the index does not fit the packs.
        var last: UInt32 = 0
        /// The snapshots that the index lists as lost.
        var lost: Set<SnapshotID> = []
        /// True if no kept snapshot can miss a piece, except those that are known to.
        var isWhole = true
    }

    /// Adopts the index if it fits the packs. An index that covers more of a pack than there is still fits: it shows
    /// what was lost.
    private func knownPacks(_ sizes: [UInt32: UInt64]) throws(HistoryError) -> KnownIndex {
        let index = try explaining { () throws(SystemError) in
            try IndexFile.read(in: store.folder, sealedBy: store.seal)
        }
        guard let (contents, base) = index else {
            // If no pack number is missing, no record was moved: the pieces of a snapshot are before it, and were there
            // when it was kept.
            return KnownIndex(isWhole: sizes.isEmpty || sizes.keys.max() == UInt32(sizes.count))
        }
        var known = KnownIndex(last: contents.lastPack, lost: Set(contents.lost.keys))
        guard isFitting(contents, sizes) else {
            let gone = contents.lostPacks.union(contents.packs.keys).subtracting(sizes.keys)
            store.shared.withLock { shared in
                shared.losses.snapshots = supposedlyLost(contents)
                (shared.losses.packs, shared.losses.abandoned) = (gone, contents.abandonedPacks.intersection(gone))
                // If another pack is gone too, the records that were moved out of a collected pack may be gone with it.
                guard contents.packs.keys.allSatisfy({ sizes[$0] != nil }) else { return }
                shared.packs.collected.formUnion(contents.collected.intersection(sizes.keys))
            }
            known.isWhole = false
            return known
        }
        store.shared.withLock { shared in
            (shared.base, shared.losses.snapshots) = (base, contents.lost)
            (shared.losses.packs, shared.losses.abandoned) = (contents.lostPacks, contents.abandonedPacks)
            shared.catalog = contents.catalog
            shared.isDamaged = contents.isDamaged
            shared.packs.last = max(shared.packs.last, contents.lastPack)
            shared.packs.collected = contents.collected.intersection(sizes.keys)
            (shared.packs.lengths, shared.packs.flushed) = (contents.packs, contents.packs)
        }
        known.packs = contents.packs
        return known
    }

    private func isFitting(_ contents: IndexFile.Contents, _ sizes: [UInt32: UInt64]) -> Bool {
        guard contents.packs.allSatisfy({ sizes[$0.key] != nil }) else { return false }
        // A pack that the index does not list as collected may have been missing and put back, and may hold the only
        // copy of a record.
        return sizes.keys.allSatisfy {
            $0 > contents.lastPack || contents.packs[$0] != nil || contents.collected.contains($0)
        }
    }

    /// Collects the snapshots that an unfitting index lists; those that the packs don't have are lost. Snapshots are
    /// compared and not packs. A pack may have been collected after the index was written. In that case its snapshots
    /// were moved or dropped, and the packs say so.
    private func supposedlyLost(_ contents: IndexFile.Contents) -> [SnapshotID: SnapshotCatalog.Entry] {
        // A writer may have made and collected packs since a reader listed them.
        guard store.access == .writing else { return contents.lost }
        let kept = contents.catalog.entries.filter { $0.value.state == .kept }
        return contents.lost.merging(kept) { _, known in known }
    }

    /// Finds the snapshots that are incomplete because a pack is missing, or was missing meanwhile. This reads every
    /// manifest, so it runs only while a pack is missing or after all packs were read anyway. If every snapshot is
    /// complete and none is lost, the packs no longer count as missing.
    private func findIncomplete() {
        let records = RecordReader(store)
        let incomplete = store.shared.withLock { $0.catalog.entries }.filter { id, entry in
            // No matter why, the snapshot can't be restored now. An error here must not stop the history from being
            // opened.
            entry.state == .kept && (try? records.requireWhole(records.snapshot(id, entry))) == nil
        }
        store.shared.withLock { shared in
            shared.losses.incomplete = incomplete
            if incomplete.isEmpty, shared.stillLost.isEmpty {
                (shared.losses.packs, shared.losses.abandoned) = ([], [])
            }
        }
    }

    /// A pack with records that the index did not know.
    private struct LoadedPack {
        let file: PackFile
        let length: UInt64
        /// True if records at its end have no flush note behind them.
        let isUnconfirmed: Bool
    }

    /// Loads the records of a pack from an offset on.
    private func load(_ number: UInt32, from start: UInt64, to size: UInt64) throws(HistoryError) -> LoadedPack? {
        let file = try openPack(number)
        let headCount = UInt64(PackSeal.fileByteCount)
        var tail = PackTail()
        var scan = PackScan(file, from: max(start, headCount), to: size, sealedBy: store.seal)
        var (end, flushed) = (max(start, headCount), start)
        loop: while true {
            switch try explaining({ () throws(SystemError) in try scan.next() }) {
            case .record(let header, let offset):
                if header.kind == .flushed {
                    if tail.gap != nil { store.shared.withLock { $0.isDamaged = true } }
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
        store.shared.withLock { [flushed] in ($0.packs.lengths[number], $0.packs.flushed[number]) = (length, flushed) }
        if length < size, store.access == .writing {
            try explaining { () throws(SystemError) in try store.calls.truncate(file.descriptor, length) }
        }
        return LoadedPack(file: file, length: length, isUnconfirmed: !whole.isEmpty || length < size)
    }

    private func openPack(_ number: UInt32) throws(HistoryError) -> PackFile {
        try explaining { () throws(SystemError) in
            PackFile(
                number,
                try store.folder.open(
                    PackFile.name(number),
                    for: store.access == .writing ? .readingAndWriting : .reading
                )
            )
        }
    }

    /// The records after the last flush note. A power cut may have taken any part of them.
    private struct PackTail {
        var records: [(header: RecordHeader, offset: UInt64)] = []
        var gap: UInt64?
    }

    /// The records of a tail before the first one whose bytes are not all on the disk.
    private func wholeRecords(
        of tail: PackTail,
        in file: PackFile
    ) throws(HistoryError) -> [(header: RecordHeader, offset: UInt64)] {
        var whole: [(header: RecordHeader, offset: UInt64)] = []
        for found in tail.records where found.offset < tail.gap ?? .max {
            // The body of a discarded record may be anything. The records behind it were there before the repair.
            if found.header.kind != .void {
                guard try store.record(found.header, found.offset, in: file).isSound else { break }
            }
            whole.append(found)
        }
        return whole
    }

    private func take(_ records: [(header: RecordHeader, offset: UInt64)], of file: PackFile) throws(HistoryError) {
        for (header, offset) in records {
            let location = PieceLocation(header, RecordPlace(pack: file.number, offset: UInt32(offset)))
            switch header.kind {
            case .piece: store.shared.withLock { $0.recent[PieceID(header.id)] = location }
            case .snapshot, .expected:
                let set = try set(of: header, offset, in: file)
                let state: SnapshotCatalog.State = header.kind == .snapshot ? .kept : .expected
                store.shared.withLock { $0.catalog.take(SnapshotID(header.id), set, state, location) }
            case .drop: store.shared.withLock { $0.drop(SnapshotID(header.id), at: location.place) }
            case .flushed, .void: break
            }
        }
    }

    /// Reads the game of a snapshot; nil if its record is damaged. A later reader of the snapshot finds the damage
    /// again.
    private func set(of header: RecordHeader, _ offset: UInt64, in file: PackFile) throws(HistoryError) -> SaveSetID? {
        let record = try store.record(header, offset, in: file)
        guard let plain = store.decompressors.lend({ record.plain(by: $0) }) else { return nil }
        return (try? Snapshot(kept: plain, hashedBy: Digest.sha256))?.set
    }

    /// Removes a pack in which no record was ever confirmed or is whole, as after a crash while a pack is begun. If
    /// there may have been more in it, the pack is renamed to `damaged-…` instead.
    private func giveUp(_ file: PackFile, _ size: UInt64) throws(HistoryError) -> LoadedPack? {
        guard store.access == .writing else { return nil }
        let name = PackFile.name(file.number)
        try explaining { () throws(SystemError) in
            if try isBeginning(file, size) {
                try store.calls.remove(store.folder, name)
            } else {
                try store.calls.rename(store.folder, name, IndexFile.fileName("damaged-\(name.text)"))
            }
        }
        return nil
    }

    /// True if a pack is nothing but a head and zeros that were never written to.
    private func isBeginning(_ file: PackFile, _ size: UInt64) throws(SystemError) -> Bool {
        var offset = UInt64(PackSeal.fileByteCount)
        while offset < size {
            let bytes = try file.read(Int(min(size - offset, 1 << 20)), at: offset)
            guard bytes.allSatisfy({ $0 == 0 }) else { return false }
            offset += UInt64(bytes.count)
        }
        return true
    }

    /// Flushes packs with whole records that may not be flushed yet.
    private func flush(_ grown: inout [LoadedPack]) throws(HistoryError) {
        guard grown.contains(where: \.isUnconfirmed) else { return }
        try explaining { () throws(SystemError) in
            for pack in grown where pack.isUnconfirmed {
                try store.calls.sync(pack.file.descriptor)
                store.shared.withLock { $0.packs.flushed[pack.file.number] = pack.length }
            }
            try store.calls.syncFolder(store.folder)
        }
        grown = []
    }

    /// Continues the last pack if it has room.
    private func takeUp(_ writer: inout WriterState) throws(HistoryError) {
        let (last, length) = store.shared.withLock { ($0.packs.last, $0.packs.lengths[$0.packs.last]) }
        writer.nextNumber = last + 1
        guard let length, length >= UInt64(PackSeal.fileByteCount), length < writer.packLimit / 2 else { return }
        let file = try openPack(last)
        guard UInt64(try explaining { () throws(SystemError) in try file.descriptor.facts().size }) == length else {
            return
        }
        writer.active = file
        (writer.length, writer.confirmed) = (length, length)
        store.shared.withLock { $0.packs.keepOpen(file) }
    }
}
