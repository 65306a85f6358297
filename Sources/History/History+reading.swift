import Digests
import Glibc
import LinuxPlatform
public import SaveRules
import Synchronization
public import Vocabulary

extension History {
    /// Whether a piece is there. It may have been damaged since it was written; the first who reads it finds that, and then it is not there any
    /// more until it is put again.
    public func has(_ piece: PieceID) throws(HistoryError) -> Bool {
        guard try location(of: piece) != nil else { return false }
        return shared.withLock { !$0.suspects.contains(piece) }
    }

    /// What a piece takes on the disk, as it is stored there; nil where it is not there.
    public func storedSize(of piece: PieceID) throws(HistoryError) -> ByteCount? {
        try location(of: piece).map { ByteCount($0.recordCount) }
    }

    /// Those of the pieces that are not there, each once, in the order in which they come.
    public func missing(of pieces: some Sequence<PieceID>) throws(HistoryError) -> [PieceID] {
        var (missing, seen) = ([PieceID](), Set<PieceID>())
        for piece in pieces where try !has(piece) && seen.insert(piece).inserted { missing.append(piece) }
        return missing
    }

    /// The bytes of a piece. They are what they were when they were put, or there is an error.
    public func read(_ piece: PieceID) throws(HistoryError) -> [UInt8] {
        try followingTheWriter { () throws(HistoryError) in try readOnce(piece) }
    }

    /// How often a reader looks anew where things are: a writer that collects garbage may move them again in between.
    private static let looks = 16

    /// Looks, and looks again for as long as the writer of another program moves what is looked for.
    private func followingTheWriter<Value>(_ look: () throws(HistoryError) -> Value) throws(HistoryError) -> Value {
        guard access == .reading else { return try look() }
        for _ in 1..<Self.looks {
            if case .success(let value) = attempted(look) { return value }
            // A pack may go while packs are listed; that is found out by looking.
            _ = attempted { () throws(HistoryError) in try reload() }
        }
        return try look()
    }

    private func readOnce(_ piece: PieceID) throws(HistoryError) -> [UInt8] {
        guard var location = try location(of: piece) else { throw .unknown(piece) }
        while true {
            let plain = attempted { () throws(HistoryError) in try self.plain(of: .piece, piece.digest, at: location) }
            if case .success(let plain?) = plain { return plain }
            // The collector may have moved it between the two looks.
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

    /// The plain bytes of a record; nil where there is another one, or it is damaged.
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

    /// The bytes of several pieces, one after the other.
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
            // Somebody else may have put it since, or this history have been taking things in again.
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

    /// The record at a place as it stands on the disk; nil where its header is damaged or it is cut short.
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

    /// The open pack of a place, with everything written that can be read there.
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
    /// The snapshots of a set, or of all, that are kept, by the time that their authors' clocks had, for people to read. One that is damaged is
    /// none of them.
    public func snapshots(of set: SaveSetID? = nil) throws(HistoryError) -> [Snapshot] {
        try snapshots(of: set, .kept)
    }

    /// The snapshots of a set, or of all, whose pieces are still to come.
    public func expectedSnapshots(of set: SaveSetID? = nil) throws(HistoryError) -> [Snapshot] {
        try snapshots(of: set, .expected)
    }

    /// The names of a set's snapshots, kept or expected. Also of those that can't be read, as far as it is known whose they are.
    public func snapshotIDs(of set: SaveSetID) throws(HistoryError) -> [SnapshotID] {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { shared in
            shared.catalog.entries.filter { $0.value.set == set && $0.value.state != .dropped }.map(\.key)
        }
    }

    /// The names of the snapshots that are kept of a set, also of those that can't be read, as far as it is known whose they are. No pack is read
    /// for that.
    public func keptSnapshotIDs(of set: SaveSetID) throws(HistoryError) -> Set<SnapshotID> {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { shared in
            var kept: Set<SnapshotID> = []
            for (id, entry) in shared.catalog.entries where entry.state == .kept && entry.set == set { kept.insert(id) }
            return kept
        }
    }

    /// The sets of which there is a snapshot, kept or expected.
    public func sets() throws(HistoryError) -> Set<SaveSetID> {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { shared in
            Set(shared.catalog.entries.values.compactMap { $0.state == .dropped ? nil : $0.set })
        }
    }

    /// A snapshot that is kept or expected; nil where there is none of this name.
    public func snapshot(_ id: SnapshotID) throws(HistoryError) -> Snapshot? {
        try followingTheWriter { () throws(HistoryError) in
            try refresh()
            guard let entry = shared.withLock({ $0.catalog[id] }), entry.state != .dropped else { return nil }
            return try snapshot(id, entry)
        }
    }

    /// Whether a snapshot is kept, with all that it needs.
    public func keeps(_ id: SnapshotID) throws(HistoryError) -> Bool {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return shared.withLock { $0.catalog[id]?.state == .kept }
    }

    /// The snapshots that were kept and are nowhere any more, because a pack is gone: until they are kept again or a repair gives them up. A
    /// check tells them as well; this costs nothing.
    public var lostSnapshots: [HistoryCheck.Touched] { Self.touched(shared.withLock { $0.stillLost }) }

    /// The snapshots that are kept and lacked something when the history was opened, because a pack is gone. A check tells what they lack, and
    /// what else is wrong; this costs nothing.
    public var lackingSnapshots: [HistoryCheck.Touched] { Self.touched(shared.withLock { $0.lacking }) }

    static func touched(_ lost: [SnapshotID: SnapshotCatalog.Entry]) -> [HistoryCheck.Touched] {
        lost.sorted { $0.key < $1.key }
            .map { HistoryCheck.Touched(snapshot: $0.key, set: $0.value.set, pieces: [], files: []) }
    }

    /// Everything that a snapshot's set held.
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
            // The collector may have moved it between the two looks.
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

    /// For a reader, what others wrote since.
    private func refresh() throws(HistoryError) {
        if access == .reading { try reload() }
    }
}
