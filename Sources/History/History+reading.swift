import LinuxPlatform
public import SaveRules
import Synchronization
public import Vocabulary

extension History {
    /// Returns true if a piece is there. The piece may be damaged on the disk: the first read finds that, and from then
    /// on the piece counts as missing until it is put again.
    public func has(_ piece: PieceID) throws(HistoryError) -> Bool {
        guard try location(of: piece) != nil else { return false }
        return store.shared.withLock { !$0.suspects.contains(piece) }
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
        try followingTheWriter { () throws(HistoryError) in try RecordReader(store).read(piece, locatedBy: location) }
    }

    /// The number of attempts of a reader: each reload may be outdated again, because a writer that collects garbage
    /// moves pieces.
    private static let looks = 16

    /// Runs `look`, and for a reader repeats it after a reload while another program's writer moves records.
    private func followingTheWriter<Value>(_ look: () throws(HistoryError) -> Value) throws(HistoryError) -> Value {
        guard store.access == .reading else { return try look() }
        for _ in 1..<Self.looks {
            if case .success(let value) = attempted(look) { return value }
            // A pack may disappear while packs are listed; the next attempt finds that.
            _ = attempted { () throws(HistoryError) in try HistoryLoader(store).reload() }
        }
        return try look()
    }

    func location(of piece: PieceID) throws(HistoryError) -> PieceLocation? {
        let known = try store.location(of: piece)
        guard known == nil, store.access == .reading else { return known }
        return try store.writer.withLock { writer throws(HistoryError) in
            // Another program may have put it since, or another thread may have been reloading.
            if let known = try store.location(of: piece) { return known }
            try HistoryLoader(store).reload(&writer)
            return try store.location(of: piece)
        }
    }
}

// MARK: Snapshots

extension History {
    /// The kept snapshots of a game, or of all games, sorted by their authors' clocks. Leaves out damaged ones.
    public func snapshots(of set: SaveSetID? = nil) throws(HistoryError) -> [Snapshot] {
        try snapshots(of: set, .kept)
    }

    /// The snapshots of a game, or of all games, whose pieces are still to come.
    public func expectedSnapshots(of set: SaveSetID? = nil) throws(HistoryError) -> [Snapshot] {
        try snapshots(of: set, .expected)
    }

    /// The ids of a game's snapshots, kept or expected. Includes damaged ones if their game is known.
    public func snapshotIDs(of set: SaveSetID) throws(HistoryError) -> [SnapshotID] {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return store.shared.withLock { shared in
            shared.catalog.entries.filter { $0.value.set == set && $0.value.state != .dropped }.map(\.key)
        }
    }

    /// The ids of a game's kept snapshots. Includes damaged ones if their game is known. Reads no pack.
    public func keptSnapshotIDs(of set: SaveSetID) throws(HistoryError) -> Set<SnapshotID> {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return store.shared.withLock { shared in
            var kept: Set<SnapshotID> = []
            for (id, entry) in shared.catalog.entries where entry.state == .kept && entry.set == set { kept.insert(id) }
            return kept
        }
    }

    /// The games that have a snapshot, kept or expected.
    public func sets() throws(HistoryError) -> Set<SaveSetID> {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return store.shared.withLock { shared in
            Set(shared.catalog.entries.values.compactMap { $0.state == .dropped ? nil : $0.set })
        }
    }

    /// Reads a snapshot that is kept or expected; nil if there is none with this id.
    public func snapshot(_ id: SnapshotID) throws(HistoryError) -> Snapshot? {
        try followingTheWriter { () throws(HistoryError) in
            try refresh()
            guard let entry = store.shared.withLock({ $0.catalog[id] }), entry.state != .dropped else { return nil }
            return try RecordReader(store).snapshot(id, entry)
        }
    }

    /// Returns true if a snapshot is kept, with all its pieces.
    public func keeps(_ id: SnapshotID) throws(HistoryError) -> Bool {
        try followingTheWriter { () throws(HistoryError) in try refresh() }
        return store.shared.withLock { $0.catalog[id]?.state == .kept }
    }

    /// The snapshots that were kept and are lost with a missing pack, until they are kept again or a repair discards
    /// them. A check finds them as well; this property reads nothing.
    public var lostSnapshots: [HistoryCheck.Touched] {
        HistoryCheck.Touched.all(store.shared.withLock { $0.stillLost })
    }

    /// The kept snapshots that were incomplete when the history was opened, because a pack is missing. A check finds
    /// the missing pieces and any other damage; this property reads nothing.
    public var incompleteSnapshots: [HistoryCheck.Touched] {
        HistoryCheck.Touched.all(store.shared.withLock { $0.losses.incomplete })
    }

    /// Reads the manifest of a snapshot: all its files and their pieces. One that was used lately is still in memory.
    /// - Parameter limit: the largest memory that it may take, if it is not in memory
    public func manifest(of snapshot: Snapshot, within limit: Int = .max) throws(HistoryError) -> Manifest {
        if let known = store.manifests.withLock({ $0.manifest(of: snapshot.manifest) }),
            try missing(of: snapshot.manifest.lazy.map(\.id)).isEmpty
        {
            return known
        }
        let manifest = try storedManifest(of: snapshot, within: limit)
        store.manifests.withLock { $0.take(manifest, of: snapshot.manifest) }
        return manifest
    }

    /// Reads the manifest of a snapshot from the disk, as a check of all snapshots does.
    func storedManifest(of snapshot: Snapshot, within limit: Int = .max) throws(HistoryError) -> Manifest {
        try RecordReader(store).manifest(of: snapshot, within: limit) { piece throws(HistoryError) in try read(piece) }
    }

    /// Gives back the memory of manifests that were used lately.
    public func rest() { store.manifests.withLock { $0 = KnownManifests() } }

    private func snapshots(of set: SaveSetID?, _ state: SnapshotCatalog.State) throws(HistoryError) -> [Snapshot] {
        let found = try followingTheWriter { () throws(HistoryError) in
            try refresh()
            let entries = store.shared.withLock { shared in
                shared.catalog.entries.filter { $0.value.state == state && (set == nil || $0.value.set == set) }
            }
            var found: [Snapshot] = []
            for (id, entry) in entries {
                if let snapshot = try RecordReader(store).readable(id, entry) { found.append(snapshot) }
            }
            return found
        }
        return found.sorted { ($0.time, $0.id) < ($1.time, $1.id) }
    }

    /// Reloads for a reader, because another program may have written since.
    private func refresh() throws(HistoryError) {
        if store.access == .reading { try HistoryLoader(store).reload() }
    }
}
