import LinuxPlatform
import SaveRules
import Synchronization

/// Writing of records to the disk. After any failure, all unconfirmed records are taken back from the file and from
/// memory, so that the next attempt starts from the last confirmed state.
struct RecordWriter {
    private let store: HistoryStore

    init(_ store: HistoryStore) { self.store = store }

    /// Appends a record to the buffer.
    func append(_ record: Record, _ writer: inout WriterState) throws(HistoryError) {
        try record.body.lent { body throws(HistoryError) in
            try append(record.header, body, of: record.set, &writer)
        }
    }

    /// Appends the header and the stored bytes of a record to the buffer, which are written and flushed later.
    ///
    /// - Parameter set: the game of a snapshot
    func append(
        _ header: RecordHeader,
        _ body: UnsafeRawBufferPointer,
        of set: SaveSetID? = nil,
        _ writer: inout WriterState
    ) throws(HistoryError) {
        try makeRoom(for: header.recordCount, &writer)
        guard let active = writer.active else { preconditionFailure("room was made in a pack") }
        let place = RecordPlace(pack: active.number, offset: UInt32(writer.end))
        header.append(to: &writer.waiting, sealedBy: store.seal, pack: place.pack, offset: UInt64(place.offset))
        writer.waiting += body
        writer.recordCount += 1
        take(header, of: set, PieceLocation(header, place), &writer)
        if writer.waiting.count >= WriterState.stretch { try flush(&writer) }
    }

    private func take(
        _ header: RecordHeader,
        of set: SaveSetID?,
        _ location: PieceLocation,
        _ writer: inout WriterState
    ) {
        let digest = header.id
        let undo: WriterState.Unconfirmed? = store.shared.withLock { shared in
            let id = SnapshotID(digest)
            let before = shared.catalog[id]
            switch header.kind {
            case .piece:
                let wasSuspect = shared.suspects.remove(PieceID(digest)) != nil
                let known = shared.recent.updateValue(location, forKey: PieceID(digest))
                return .piece(PieceID(digest), before: known, wasSuspect: wasSuspect)
            case .snapshot, .expected:
                let state: SnapshotCatalog.State = header.kind == .snapshot ? .kept : .expected
                shared.catalog.take(id, set ?? before?.set, state, location)
                return .snapshot(id, before: before)
            case .drop:
                shared.drop(id, at: location.place)
                return .snapshot(id, before: before)
            case .flushed, .void:
                return nil
            }
        }
        if let undo { writer.unconfirmed.append(undo) }
    }

    private func makeRoom(for count: Int, _ writer: inout WriterState) throws(HistoryError) {
        guard !writer.hasRoom(for: count) else { return }
        try endPack(&writer)
        let number = writer.nextNumber
        let file = PackFile(
            number,
            try explaining { () throws(SystemError) in try store.calls.create(store.folder, PackFile.name(number)) }
        )
        writer.active = file
        writer.nextNumber += 1
        writer.isFolderChanged = true
        (writer.length, writer.confirmed, writer.recordCount) = (0, 0, 0)
        writer.waiting = store.seal.head(ofPack: number)
        store.shared.withLock { shared in
            (shared.packs.lengths[number], shared.packs.flushed[number]) = (0, 0)
            shared.packs.last = number
            shared.packs.keepOpen(file)
        }
    }

    /// Flushes the active pack and ends it. The next record begins another pack.
    func endPack(_ writer: inout WriterState) throws(HistoryError) {
        guard writer.active != nil else { return }
        try confirm(&writer)
        writer.active = nil
    }

    /// Writes the buffered records, so that they can be read.
    func flush(_ writer: inout WriterState) throws(HistoryError) {
        guard let active = writer.active, !writer.waiting.isEmpty else { return }
        var failure: SystemError?
        writer.waiting.withUnsafeBytes { bytes in
            do throws(SystemError) { try store.calls.write(active.descriptor, bytes, writer.length) } catch {
                failure = error
            }
        }
        if let failure {
            let error = HistoryError(failure)
            takeBack(&writer, because: error, abandoning: false)
            throw error
        }
        // Lets the kernel begin to write, so that a later flush is short.
        active.descriptor.beginWriteBack(from: writer.length, count: UInt64(writer.waiting.count))
        writer.length += UInt64(writer.waiting.count)
        writer.waiting.removeAll(keepingCapacity: true)
        store.shared.withLock { [length = writer.length] in $0.packs.lengths[active.number] = length }
    }

    /// Flushes all appended records. When this returns, they survive a power cut.
    func confirm(_ writer: inout WriterState) throws(HistoryError) {
        try flush(&writer)
        guard let active = writer.active, writer.length > writer.confirmed else { return }
        do throws(HistoryError) {
            try explaining { () throws(SystemError) in
                try store.calls.sync(active.descriptor)
                if writer.isFolderChanged { try store.calls.syncFolder(store.folder) }
            }
        } catch {
            // After a failed flush the contents of the disk are unknown: unconfirmed records must be written again
            // elsewhere.
            takeBack(&writer, because: error, abandoning: true)
            throw error
        }
        writer.isFolderChanged = false
        writer.confirmed = writer.length
        writer.unconfirmed.removeAll(keepingCapacity: true)
        store.shared.withLock { [length = writer.length] in $0.packs.flushed[active.number] = length }
        noteFlush(active, &writer)
        IndexWriter(store).saveIfLarge()
    }

    /// Appends a note that everything before it was flushed. The note itself is not flushed: without it, the next
    /// opening checks the records before it more closely.
    private func noteFlush(_ active: PackFile, _ writer: inout WriterState) {
        var note: [UInt8] = []
        RecordHeader(.flushed, id: RecordHeader.noID)
            .append(to: &note, sealedBy: store.seal, pack: active.number, offset: writer.length)
        let isWritten = note.withUnsafeBytes { bytes in
            do throws(SystemError) { try store.calls.write(active.descriptor, bytes, writer.length) } catch {
                return false
            }
            return true
        }
        guard isWritten else {
            try? store.calls.truncate(active.descriptor, writer.length)
            return
        }
        writer.length += UInt64(note.count)
        writer.confirmed = writer.length
        store.shared.withLock { [length = writer.length] in $0.packs.lengths[active.number] = length }
    }

    /// Takes back all unconfirmed records, no matter which thread appended them.
    private func takeBack(_ writer: inout WriterState, because failure: HistoryError, abandoning: Bool) {
        writer.takenBack = (writer.takenBack.count + 1, failure)
        let (number, confirmed) = (writer.active?.number, writer.confirmed)
        store.shared.withLock { [undo = writer.unconfirmed] shared in
            for step in undo.reversed() {
                switch step {
                case .piece(let id, let before, let wasSuspect):
                    shared.recent[id] = before
                    if wasSuspect { shared.suspects.insert(id) }
                case .snapshot(let id, let before): shared.catalog.restore(id, to: before)
                }
            }
            if let number { shared.packs.lengths[number] = confirmed }
        }
        writer.unconfirmed = []
        writer.waiting = []
        writer.length = confirmed
        guard let active = writer.active else { return }
        if confirmed == 0 {
            // No record of this pack was ever confirmed.
            try? store.calls.remove(store.folder, PackFile.name(active.number))
            store.shared.withLock { $0.forget(packs: [active.number]) }
            writer.active = nil
            return
        }
        let isCut = (try? store.calls.truncate(active.descriptor, confirmed)) != nil
        if abandoning || !isCut { writer.active = nil }
    }
}
