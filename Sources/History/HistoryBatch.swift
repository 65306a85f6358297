public import Digests
import LinuxPlatform
public import SaveRules
import Synchronization

/// What is put into a history together: the pieces of a capture, or those that a peer sends, and at last the snapshot that needs them.
///
/// As long as it lives, nothing that was put or claimed through it is collected. Pieces may be read as soon as they were put; that they survive a
/// power cut is promised once ``commit()`` or ``append(_:)`` returns. A batch belongs to one thread at a time.
public final class HistoryBatch {
    private let history: History
    private let number: Int
    /// How often anything had been taken back when it began.
    private let takenBack: Int

    init(_ history: History) {
        self.history = history
        takenBack = history.writer.withLock { $0.takenBack.count }
        number = history.shared.withLock { shared in
            shared.lastBatch += 1
            shared.protected[shared.lastBatch] = []
            return shared.lastBatch
        }
    }

    deinit {
        let isLast = history.shared.withLock { [number] shared in
            shared.protected[number] = nil
            return shared.protected.isEmpty
        }
        if isLast { history.compressors.empty() }
    }

    /// Puts a piece.
    ///
    /// - Returns: whether it is new; what is there already is not stored again
    @discardableResult
    public func put(_ piece: DigestedBytes) throws(HistoryError) -> Bool {
        guard PieceReference.lengths.contains(piece.bytes.count) else { throw .badLength(piece.bytes.count) }
        let id = PieceID(piece.digest)
        guard try !claim(id) else { return false }
        let record = history.compressors.lend { Record(.piece, piece, by: $0) }
        try history.writer.withLock { writer throws(HistoryError) in
            // Somebody else may have put it meanwhile.
            guard try !history.has(id) else { return }
            try history.append(record, &writer)
        }
        return true
    }

    /// Puts a piece that comes from elsewhere, if its bytes are those that its name stands for.
    @discardableResult
    public func put(_ bytes: [UInt8], expecting id: PieceID) throws(HistoryError) -> Bool {
        try bytes.lent { bytes throws(HistoryError) in
            let piece = DigestedBytes(bytes)
            guard PieceID(piece.digest) == id else { throw .otherContents(id) }
            return try put(piece)
        }
    }

    /// Puts a manifest, cut as the format says.
    ///
    /// - Returns: its pieces, for the snapshot
    public func put(_ manifest: Manifest) throws(HistoryError) -> [PieceReference] {
        try manifest.encoded.lent { bytes throws(HistoryError) in
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
    }

    /// Keeps a piece that is there from being collected while the batch lives.
    ///
    /// - Returns: whether it is there
    public func claim(_ id: PieceID) throws(HistoryError) -> Bool {
        try explaining { () throws(SystemError) in
            try history.shared.withLock { [number] shared throws(SystemError) in
                shared.protected[number]?.insert(id)
                return try shared.has(id)
            }
        }
    }

    /// Keeps many pieces from being collected while the batch lives, as far as they are there.
    ///
    /// - Returns: those that are not
    public func claim(all ids: some Sequence<PieceID>) throws(HistoryError) -> Set<PieceID> {
        try explaining { () throws(SystemError) in
            try history.shared.withLock { [number] shared throws(SystemError) in
                shared.protected[number]?.formUnion(ids)
                return try shared.lacking(of: ids)
            }
        }
    }

    /// Returns once everything that was put would survive a power cut.
    ///
    /// - Throws: also where a write of somebody else failed since the batch began, for what was put may have been taken back with that: put
    ///   it anew through another batch
    public func commit() throws(HistoryError) {
        try history.writer.withLock { writer throws(HistoryError) in
            try history.confirm(&writer)
            if let cause = writer.takenBack.cause, writer.takenBack.count != takenBack { throw cause }
        }
    }

    /// Keeps a snapshot, and returns once it and all that it needs would survive a power cut. One that is kept already is left as it is.
    ///
    /// - Throws: `history.missing-pieces` unless all pieces of its manifest, and all pieces of all files, are there
    public func append(_ snapshot: Snapshot) throws(HistoryError) {
        try append(snapshot, anew: false)
    }

    /// Keeps a snapshot whose own record was damaged, or is lost, from what is known of it elsewhere. Returns and throws as ``append(_:)`` does.
    public func restore(_ snapshot: Snapshot) throws(HistoryError) {
        try append(snapshot, anew: true)
    }

    private func append(_ snapshot: Snapshot, anew: Bool) throws(HistoryError) {
        let record = snapshot.encoded.lent { self.record(.snapshot, $0, snapshot) }
        try history.writer.withLock { writer throws(HistoryError) in
            // Nothing can be collected between this and the record: the collector takes the same lock to decide.
            try history.flush(&writer)
            // Also of what is kept already something may have been damaged, have come again, and have been taken back.
            try history.requireWhole(snapshot)
            let entry = history.shared.withLock { $0.catalog[snapshot.id] }
            // A record that can't be read keeps nothing, and all else from being collected.
            let isKept = entry.map { $0.state == .kept && (try? history.snapshot(snapshot.id, $0)) != nil } ?? false
            if anew || !isKept {
                try history.append(record, &writer)
            }
            try history.confirm(&writer)
        }
    }

    /// Remembers a snapshot whose pieces are still to come, so that those which are there are not collected, until it is appended or dropped.
    public func expect(_ snapshot: Snapshot) throws(HistoryError) {
        let record = snapshot.encoded.lent { self.record(.expected, $0, snapshot) }
        try history.writer.withLock { writer throws(HistoryError) in
            let state = history.shared.withLock { $0.catalog[snapshot.id]?.state }
            if state == nil || state == .dropped { try history.append(record, &writer) }
            try history.confirm(&writer)
        }
    }

    private func record(_ kind: RecordHeader.Kind, _ bytes: UnsafeRawBufferPointer, _ snapshot: Snapshot) -> Record {
        var record = history.compressors.lend { Record(kind, DigestedBytes(bytes), by: $0) }
        record.set = snapshot.set
        return record
    }
}

extension PieceCutter {
    /// Cuts to the sizes of the format; what is to stay whole is not given to it.
    init(_ sizes: PieceSizes) {
        self.init(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum)
    }
}

extension [UInt8] {
    /// Lends the bytes for the time of a call that may fail.
    func lent<Value, Failure: Error>(
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let result = withUnsafeBytes { bytes -> Result<Value, Failure> in
            do throws(Failure) { return .success(try body(bytes)) } catch { return .failure(error) }
        }
        return try result.get()
    }
}
