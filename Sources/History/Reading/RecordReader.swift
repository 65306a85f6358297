import Digests
import LinuxPlatform
import SaveRules
import Synchronization

/// Reading of records where this program knows them to be. Never loads the folder again.
struct RecordReader {
    private let store: HistoryStore

    init(_ store: HistoryStore) { self.store = store }

    /// Reads the record at a location; nil if its header is damaged or the record is cut short.
    func record(at location: PieceLocation) throws(HistoryError) -> Record? {
        let place = location.place
        let file = try file(of: place, location.recordCount)
        let (head, offset) = (RecordHeader.byteCount, UInt64(place.offset))
        // Two reads: the body of a piece is long, and would be copied once more out of the bytes of both.
        let (bytes, body) = try explaining { () throws(SystemError) in
            (
                try file.read(head, at: offset),
                try file.read(Int(location.recordCount) - head, at: offset + UInt64(head))
            )
        }
        let header = bytes.withUnsafeBytes {
            RecordHeader($0, sealedBy: store.seal, pack: place.pack, offset: offset)
        }
        guard let header, header.storedCount == body.count, header.recordCount == Int(location.recordCount) else {
            return nil
        }
        return Record(header, body: body)
    }

    /// Opens the pack of a place, and writes the buffered records first if the record is among them.
    private func file(of place: RecordPlace, _ count: UInt64) throws(HistoryError) -> PackFile {
        let isWritten = store.shared.withLock {
            $0.packs.lengths[place.pack, default: 0] >= UInt64(place.offset) + count
        }
        if !isWritten, store.access == .writing {
            try store.writer.withLock { writer throws(HistoryError) in try RecordWriter(store).flush(&writer) }
        }
        return try store.pack(place.pack)
    }

    /// The decompressed bytes of a record; nil if the record is another one or damaged.
    private func plain(
        of kind: RecordHeader.Kind,
        _ id: SHA256Digest,
        at location: PieceLocation
    ) throws(HistoryError) -> [UInt8]? {
        guard let record = try record(at: location), record.header.id == id, record.header.kind == kind else {
            return nil
        }
        return store.decompressors.lend { record.plain(by: $0) }
    }

    /// Reads a piece and checks its digest.
    ///
    /// - Parameter locate: finds the piece, again after the collector may have moved it
    func read(
        _ piece: PieceID,
        locatedBy locate: (PieceID) throws(HistoryError) -> PieceLocation?
    ) throws(HistoryError) -> [UInt8] {
        guard var location = try locate(piece) else { throw .unknown(piece) }
        while true {
            let plain = attempted { () throws(HistoryError) in try self.plain(of: .piece, piece.digest, at: location) }
            if case .success(let plain?) = plain { return plain }
            // The collector may have moved the piece between the two lookups.
            guard let now = try locate(piece), now != location else {
                if case .failure(let error) = plain { throw error }
                store.shared.withLock { _ = $0.suspects.insert(piece) }
                throw .damaged(piece)
            }
            location = now
        }
    }

    // MARK: Snapshots

    func snapshot(_ id: SnapshotID, _ entry: SnapshotCatalog.Entry) throws(HistoryError) -> Snapshot {
        var entry = entry
        while true {
            let kind: RecordHeader.Kind = entry.state == .expected ? .expected : .snapshot
            let plain = attempted { () throws(HistoryError) in try self.plain(of: kind, id.digest, at: entry.location) }
            if case .success(let plain?) = plain { return try decoded(plain, id) }
            // The collector may have moved the snapshot between the two lookups.
            guard let now = store.shared.withLock({ $0.catalog[id] }), now.location != entry.location else {
                if case .failure(let error) = plain { throw error }
                throw .damaged(id)
            }
            entry = now
        }
    }

    private func decoded(_ bytes: [UInt8], _ id: SnapshotID) throws(HistoryError) -> Snapshot {
        do {
            return try Snapshot(kept: bytes, expecting: id, hashedBy: Digest.sha256)
        } catch {
            throw .damaged(id, cause: error)
        }
    }

    /// Reads a snapshot; nil if it is damaged.
    func readable(_ id: SnapshotID, _ entry: SnapshotCatalog.Entry) throws(HistoryError) -> Snapshot? {
        do throws(HistoryError) { return try snapshot(id, entry) } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    /// Reads the manifest of a snapshot.
    ///
    /// - Parameters:
    ///   - limit: the largest memory that it may take
    ///   - read: reads one of its pieces
    func manifest(
        of snapshot: Snapshot,
        within limit: Int = .max,
        by read: (PieceID) throws(HistoryError) -> [UInt8]
    ) throws(HistoryError) -> Manifest {
        guard snapshot.manifest.totalLength <= limit else {
            throw .damaged(snapshot.id, cause: SaveFormatError(.listTooLong))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(snapshot.manifest.totalLength))
        for piece in snapshot.manifest { bytes += try read(piece.id) }
        do {
            return try Manifest(decoding: bytes, memoryLimit: limit)
        } catch {
            throw .damaged(snapshot.id, cause: error)
        }
    }

    // MARK: Completeness

    /// Throws `history.missing-pieces` unless every piece that a snapshot needs is there.
    func requireWhole(_ snapshot: Snapshot) throws(HistoryError) {
        var missing = try missing(of: snapshot.manifest.map(\.id))
        if missing == 0 { missing = try self.missing(of: manifest(of: snapshot).pieces.map(\.id)) }
        guard missing == 0 else { throw .incomplete(snapshot.id, missing: missing) }
    }

    /// The manifest of a snapshot whose pieces are all there.
    private func manifest(of snapshot: Snapshot) throws(HistoryError) -> Manifest {
        guard let known = store.manifests.withLock({ $0.manifest(of: snapshot.manifest) }) else {
            return try manifest(of: snapshot) { piece throws(HistoryError) in
                try read(piece, locatedBy: store.location)
            }
        }
        // A manifest in memory doesn't show that the disk has it.
        for piece in snapshot.manifest { _ = try read(piece.id, locatedBy: store.location) }
        return known
    }

    private func missing(of pieces: [PieceID]) throws(HistoryError) -> Int {
        try explaining { () throws(SystemError) in
            try store.shared.withLock { shared throws(SystemError) in try shared.missing(of: pieces).count }
        }
    }

    /// True while a pack is missing that may have said which pieces are needed, until a repair abandons the pack. If
    /// the user puts the pack back, the other pieces that its snapshots need must still be there.
    func missesPacks() throws(HistoryError) -> Bool {
        let (isLost, isWaiting, incomplete) = store.shared.withLock { shared in
            let losses = shared.losses
            return (!shared.stillLost.isEmpty, !losses.packs.isSubset(of: losses.abandoned), losses.incomplete.keys)
        }
        if isLost { return true }
        guard isWaiting else { return false }
        for id in incomplete {
            guard let entry = store.shared.withLock({ $0.catalog[id] }), entry.state == .kept,
                let snapshot = try readable(id, entry)
            else { continue }
            if try missing(of: snapshot.manifest.map(\.id)) > 0 { return true }
        }
        return false
    }
}

func attempted<Value>(_ body: () throws(HistoryError) -> Value) -> Result<Value, HistoryError> {
    do throws(HistoryError) { return .success(try body()) } catch { return .failure(error) }
}
