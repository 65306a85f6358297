public import Digests
import LinuxPlatform
public import SaveRules
import Synchronization

/// Pieces and snapshots that are put into a history together: the pieces of a capture or from a peer, and at last the
/// snapshot that needs them.
///
/// As long as the batch lives, no piece that was put or claimed through it is collected. A piece can be read as soon as
/// it is put. It survives a power cut once ``commit()`` or ``append(_:)`` returns. A batch belongs to one thread at a
/// time.
public final class HistoryBatch {
    private let store: HistoryStore
    private let number: Int
    /// The number of times that records had been taken back when the batch began.
    private let takenBack: Int

    init(_ store: HistoryStore) {
        self.store = store
        takenBack = store.writer.withLock { $0.takenBack.count }
        number = store.shared.withLock { $0.claims.begin() }
    }

    deinit {
        let isLast = store.shared.withLock { [number] shared in
            shared.claims.pieces[number] = nil
            return shared.claims.pieces.isEmpty
        }
        if isLast { store.compressors.empty() }
    }

    /// Puts a piece.
    ///
    /// - Returns: true if the piece is new; a piece that is there already is not stored again
    @discardableResult
    public func put(_ piece: DigestedBytes) throws(HistoryError) -> Bool {
        guard PieceReference.lengths.contains(piece.bytes.count) else { throw .badLength(piece.bytes.count) }
        let id = PieceID(piece.digest)
        guard try !claim(id) else { return false }
        try store.compressors.lend { compressor throws(HistoryError) in
            let (header, body) = RecordHeader.storing(piece, as: .piece, by: compressor)
            try store.writer.withLock { writer throws(HistoryError) in
                // Another thread may have put it meanwhile.
                guard try !store.has(id) else { return }
                try RecordWriter(store).append(header, body, &writer)
            }
        }
        return true
    }

    /// Puts a piece from elsewhere, after comparing its bytes with the digest that is its id.
    @discardableResult
    public func put(_ bytes: [UInt8], expecting id: PieceID) throws(HistoryError) -> Bool {
        try bytes.lent { bytes throws(HistoryError) in
            let piece = DigestedBytes(bytes)
            guard PieceID(piece.digest) == id else { throw .otherContents(id) }
            return try put(piece)
        }
    }

    /// Cuts a manifest into pieces as the format says, and puts them.
    ///
    /// - Returns: its pieces, for the snapshot
    public func put(_ manifest: Manifest) throws(HistoryError) -> [PieceReference] {
        let pieces: [PieceReference] = try manifest.encoded.lent { bytes throws(HistoryError) in
            var (pieces, start) = ([PieceReference](), 0)
            let isWhole = bytes.count <= PieceSizes.manifest.wholeUpTo
            for end in isWhole ? [bytes.count] : PieceCutter(PieceSizes.manifest).ends(of: bytes) {
                let piece = DigestedBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                try put(piece)
                pieces.append(PieceReference(PieceID(piece.digest), length: piece.bytes.count))
                start = end
            }
            return pieces
        }
        store.manifests.withLock { $0.take(manifest, of: pieces) }
        return pieces
    }

    /// True if the history has not lost any piece, as far as is known: what a kept snapshot needs is there.
    public var isUnharmed: Bool { store.shared.withLock { $0.isUnharmed } }

    /// Protects a piece from being collected while the batch lives.
    ///
    /// - Returns: true if the piece is there
    public func claim(_ id: PieceID) throws(HistoryError) -> Bool {
        try explaining { () throws(SystemError) in
            try store.shared.withLock { [number] shared throws(SystemError) in
                shared.claims.pieces[number]?.insert(id)
                return try shared.has(id)
            }
        }
    }

    /// Protects many pieces from being collected while the batch lives.
    ///
    /// - Returns: the pieces that are missing
    public func claim(all ids: [PieceID]) throws(HistoryError) -> Set<PieceID> {
        try explaining { () throws(SystemError) in
            try store.shared.withLock { [number] shared throws(SystemError) in
                shared.claims.pieces[number]?.formUnion(ids)
                return try shared.missing(of: ids)
            }
        }
    }

    /// The pieces that are missing. The others are not protected.
    public func missing(of ids: [PieceID]) throws(HistoryError) -> Set<PieceID> {
        try explaining { () throws(SystemError) in
            try store.shared.withLock { shared throws(SystemError) in try shared.missing(of: ids) }
        }
    }

    /// Flushes everything that was put. When this returns, all of it survives a power cut.
    ///
    /// - Throws: also if another thread's write failed since the batch began, because that may have taken back this
    ///   batch's pieces: put them again through another batch
    public func commit() throws(HistoryError) {
        try store.writer.withLock { writer throws(HistoryError) in
            try RecordWriter(store).confirm(&writer)
            if let cause = writer.takenBack.cause, writer.takenBack.count != takenBack { throw cause }
        }
    }

    /// Keeps a snapshot. When this returns, the snapshot and all its pieces survive a power cut. A snapshot that is
    /// kept already is left unchanged.
    ///
    /// - Throws: `history.missing-pieces` unless all pieces of its manifest and of all its files are there
    public func append(_ snapshot: Snapshot) throws(HistoryError) {
        try append(snapshot, rewriting: false)
    }

    /// Keeps a snapshot whose own record is damaged or lost, from a copy of the snapshot. Returns and throws as
    /// ``append(_:)`` does.
    public func restore(_ snapshot: Snapshot) throws(HistoryError) {
        try append(snapshot, rewriting: true)
    }

    private func append(_ snapshot: Snapshot, rewriting: Bool) throws(HistoryError) {
        let record = snapshot.encoded.lent { self.record(.snapshot, $0, snapshot) }
        try store.writer.withLock { writer throws(HistoryError) in
            // No piece can be collected between this check and the record: the collector takes the same lock to decide.
            try RecordWriter(store).flush(&writer)
            // This holds for a snapshot that is kept already, too: a piece may have been damaged, put again, and taken
            // back.
            try RecordReader(store).requireWhole(snapshot)
            let entry = store.shared.withLock { $0.catalog[snapshot.id] }
            // A snapshot record that can't be read keeps nothing, and stops every collection of garbage.
            let isKept =
                entry.map { $0.state == .kept && (try? RecordReader(store).snapshot(snapshot.id, $0)) != nil } ?? false
            if rewriting || !isKept {
                try RecordWriter(store).append(record, &writer)
            }
            try RecordWriter(store).confirm(&writer)
        }
    }

    /// Records a snapshot whose pieces are still to come. Until it is appended or dropped, the pieces that it needs and
    /// that are there are not collected.
    public func expect(_ snapshot: Snapshot) throws(HistoryError) {
        let record = snapshot.encoded.lent { self.record(.expected, $0, snapshot) }
        try store.writer.withLock { writer throws(HistoryError) in
            let state = store.shared.withLock { $0.catalog[snapshot.id]?.state }
            if state == nil || state == .dropped { try RecordWriter(store).append(record, &writer) }
            try RecordWriter(store).confirm(&writer)
        }
    }

    private func record(_ kind: RecordHeader.Kind, _ bytes: UnsafeRawBufferPointer, _ snapshot: Snapshot) -> Record {
        var record = store.compressors.lend { Record(kind, DigestedBytes(bytes), by: $0) }
        record.set = snapshot.set
        return record
    }
}

extension PieceCutter {
    /// Makes a cutter with the sizes of the format. The caller does not cut content that stays whole.
    init(_ sizes: PieceSizes) {
        self.init(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum)
    }
}

extension [UInt8] {
    /// Lends the bytes to a call that may fail.
    func lent<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = withUnsafeBytes { bytes -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
