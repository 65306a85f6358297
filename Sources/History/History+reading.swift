import Digests
import Glibc
import LinuxPlatform
public import SaveRules
import Synchronization
public import Vocabulary

extension History {
    /// Returns true if a piece is there. The piece may be damaged on the disk: the first read finds that, and from then
    /// on the piece counts as missing until it is put again.
    public func has(_ piece: PieceID) throws(HistoryError) -> Bool {
        guard try location(of: piece) != nil else { return false }
        return shared.withLock { !$0.suspects.contains(piece) }
    }

    /// The size of a piece's record on the disk; nil if the piece is not there.
    public func storedSize(of piece: PieceID) throws(HistoryError) -> ByteCount? {
        try location(of: piece).map { ByteCount($0.recordCount) }
    }

    /// The pieces that are missing, each once, in their order.
    public func missing(of pieces: some Sequence<PieceID>) throws(HistoryError) -> [PieceID] {
        var (missing, seen) = ([PieceID](), Set<PieceID>())
        for piece in pieces where try !has(piece) && seen.insert(piece).inserted { missing.append(piece) }
        return missing
    }

    /// Reads a piece and checks its digest. Throws unless the bytes are those that were put.
    public func read(_ piece: PieceID) throws(HistoryError) -> [UInt8] {
        try followingTheWriter { () throws(HistoryError) in try readOnce(piece) }
    }

    /// The number of attempts of a reader: each reload may be outdated again, because a writer that collects garbage
    /// moves pieces.
    private static let looks = 16

    /// Runs `look`, and for a reader repeats it after a reload while another program's writer moves records.
    private func followingTheWriter<Value>(_ look: () throws(HistoryError) -> Value) throws(HistoryError) -> Value {
        guard access == .reading else { return try look() }
        for _ in 1..<Self.looks {
            if case .success(let value) = attempted(look) { return value }
            // A pack may go while packs are listed; the next look finds that.
            _ = attempted { () throws(HistoryError) in try reload() }
        }
        return try look()
    }

    private func readOnce(_ piece: PieceID) throws(HistoryError) -> [UInt8] {
        guard var location = try location(of: piece) else { throw .unknown(piece) }
        while true {
            let plain = attempted { () throws(HistoryError) in try self.plain(of: .piece, piece.digest, at: location) }
            if case .success(let plain?) = plain { return plain }
            // The collector may have moved the piece between the two looks.
            guard let now = try self.location(of: piece), now != location else {
                if case .failure(let error) = plain { throw error }
                shared.withLock { _ = $0.suspects.insert(piece) }
                throw .damaged(piece)
            }
            location = now
        }
    }

    private func attempted<Value>(_ body: () throws(HistoryError) -> Value) -> Result<Value, HistoryError> {
        do throws(HistoryError) { return .success(try body()) } catch { return .failure(error) }
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
        return decompressors.lend { record.plain(by: $0) }
    }

    /// Reads several pieces and joins their bytes.
    func read(_ pieces: [PieceReference]) throws(HistoryError) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Int(pieces.totalLength))
        for piece in pieces { bytes += try read(piece.id) }
        return bytes
    }

    func location(of piece: PieceID) throws(HistoryError) -> PieceLocation? {
        let known = try knownLocation(of: piece)
        guard known == nil, access == .reading else { return known }
        return try writer.withLock { writer throws(HistoryError) in
            // Another program may have put it since, or another thread may have been reloading.
            if let known = try knownLocation(of: piece) { return known }
            try reload(&writer)
            return try knownLocation(of: piece)
        }
    }

    private func knownLocation(of piece: PieceID) throws(HistoryError) -> PieceLocation? {
        try explaining { () throws(SystemError) in
            try shared.withLock { shared throws(SystemError) in try shared.location(of: piece) }
        }
    }

    /// Reads the record at a location; nil if its header is damaged or the record is cut short.
    func record(at location: PieceLocation) throws(HistoryError) -> Record? {
        let place = location.place
        let file = try file(of: place, location.recordCount)
        let bytes = try explaining { () throws(SystemError) in
            try file.read(Int(location.recordCount), at: UInt64(place.offset))
        }
        guard bytes.count == Int(location.recordCount),
            let header = bytes.withUnsafeBytes({
                RecordHeader($0, sealedBy: seal, pack: place.pack, offset: UInt64(place.offset))
            }), header.recordCount == bytes.count
        else { return nil }
        return Record(header, body: Array(bytes[RecordHeader.byteCount...]))
    }

    /// Opens the pack of a place, and writes the buffered records first if the record is among them.
    private func file(of place: RecordPlace, _ count: UInt64) throws(HistoryError) -> PackFile {
        let isWritten = shared.withLock { $0.packs[place.pack, default: 0] >= UInt64(place.offset) + count }
        if !isWritten, access == .writing {
            try writer.withLock { writer throws(HistoryError) in try flush(&writer) }
        }
        return try explaining { () throws(SystemError) in
            try shared.withLock { shared throws(SystemError) in try shared.file(place.pack, in: folder) }
        }
    }
}

// MARK: Snapshots

extension History {
    /// The kept snapshots of a set, or of all sets, sorted by their authors' clocks. Leaves out damaged ones.
    public func snapshots(of set: SaveSetID? = nil) throws(HistoryError) -> [Snapshot] {
        try snapshots(of: set, .kept)
    }

    /// The snapshots of a set, or of all sets, whose pieces are still to come.
    public func expectedSnapshots(of set: SaveSetID? = nil) throws(HistoryError) -> [Snapshot] {
        try snapshots(of: set, .expected)
    }

    /// The ids of a set's snapshots, kept or expected. Includes damaged ones if their set is known.
    public func snapshotIDs(of set: SaveSetID) throws(HistoryError) -> [SnapshotID] {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { shared in
            shared.catalog.entries.filter { $0.value.set == set && $0.value.state != .dropped }.map(\.key)
        }
    }

    /// The ids of a set's kept snapshots. Includes damaged ones if their set is known. Reads no pack.
    public func keptSnapshotIDs(of set: SaveSetID) throws(HistoryError) -> Set<SnapshotID> {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { shared in
            var kept: Set<SnapshotID> = []
            for (id, entry) in shared.catalog.entries where entry.state == .kept && entry.set == set { kept.insert(id) }
            return kept
        }
    }

    /// The sets that have a snapshot, kept or expected.
    public func sets() throws(HistoryError) -> Set<SaveSetID> {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { shared in
            Set(shared.catalog.entries.values.compactMap { $0.state == .dropped ? nil : $0.set })
        }
    }

    /// Reads a snapshot that is kept or expected; nil if there is none with this id.
    public func snapshot(_ id: SnapshotID) throws(HistoryError) -> Snapshot? {
        try followingTheWriter { () throws(HistoryError) in
            try refresh()
            guard let entry = shared.withLock({ $0.catalog[id] }), entry.state != .dropped else { return nil }
            return try snapshot(id, entry)
        }
    }

    /// Returns true if a snapshot is kept, with all its pieces.
    public func keeps(_ id: SnapshotID) throws(HistoryError) -> Bool {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { $0.catalog[id]?.state == .kept }
    }

    /// The snapshots that were kept and are lost with a missing pack, until they are kept again or a repair gives them
    /// up. A check finds them as well; this property reads nothing.
    public var lostSnapshots: [HistoryCheck.Touched] { Self.touched(shared.withLock { $0.stillLost }) }

    /// The kept snapshots that were incomplete when the history was opened, because a pack is missing. A check finds
    /// the missing pieces and any other damage; this property reads nothing.
    public var lackingSnapshots: [HistoryCheck.Touched] { Self.touched(shared.withLock { $0.lacking }) }

    static func touched(_ lost: [SnapshotID: SnapshotCatalog.Entry]) -> [HistoryCheck.Touched] {
        lost.sorted { $0.key < $1.key }
            .map { HistoryCheck.Touched(snapshot: $0.key, set: $0.value.set, pieces: [], files: []) }
    }

    /// Reads the manifest of a snapshot: all its files and their pieces.
    public func manifest(of snapshot: Snapshot) throws(HistoryError) -> Manifest {
        let bytes = try read(snapshot.manifest)
        do {
            return try Manifest(decoding: bytes)
        } catch {
            throw .damaged(snapshot.id, cause: error)
        }
    }

    private func snapshots(of set: SaveSetID?, _ state: SnapshotCatalog.State) throws(HistoryError) -> [Snapshot] {
        let found = try followingTheWriter { () throws(HistoryError) in
            try refresh()
            let entries = shared.withLock { shared in
                shared.catalog.entries.filter { $0.value.state == state && (set == nil || $0.value.set == set) }
            }
            var found: [Snapshot] = []
            for (id, entry) in entries {
                if let snapshot = try readable(id, entry) { found.append(snapshot) }
            }
            return found
        }
        return found.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    func snapshot(_ id: SnapshotID, _ entry: SnapshotCatalog.Entry) throws(HistoryError) -> Snapshot {
        var entry = entry
        while true {
            let kind: RecordHeader.Kind = entry.state == .expected ? .expected : .snapshot
            let plain = attempted { () throws(HistoryError) in try self.plain(of: kind, id.digest, at: entry.location) }
            if case .success(let plain?) = plain { return try decoded(plain, id) }
            // The collector may have moved the snapshot between the two looks.
            guard let now = shared.withLock({ $0.catalog[id] }), now.location != entry.location else {
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

    /// Reloads for a reader, because another program may have written since.
    private func refresh() throws(HistoryError) {
        if access == .reading { try reload() }
    }
}
