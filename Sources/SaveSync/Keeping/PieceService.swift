import Digests
import History
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// Receives pieces from peers into the history, and reads pieces for them. It has a thread of its own, because all of
/// this waits for the disk.
actor PieceService {
    nonisolated let loop: EventLoop
    nonisolated let history: History
    /// The path of the history.
    nonisolated let path: String
    /// Reads the versions that the ledger knows.
    nonisolated let shelf: SnapshotShelf
    /// The versions that are being received. Their batches keep the pieces that are here from being collected.
    private var arrivals: [SnapshotID: Arrival] = [:]
    /// Checks the signatures of other machines.
    private var check = SealCheck.ed25519
    /// The pieces that are known to belong to each game.
    var own: [SaveSetID: SetPieces] = [:]
    private var hasLookedForArrived = false
    /// The pieces of the whole version that a peer asked for last.
    private var served: (snapshot: SnapshotID, pieces: Set<PieceID>)?

    /// A version that is being received.
    private struct Arrival {
        let set: SaveSetID
        let batch: HistoryBatch
        /// The number of its pieces that are fetched.
        var pieceCount = 0
    }

    private init(_ history: History, at path: String, _ shelf: SnapshotShelf, _ loop: EventLoop) {
        (self.history, self.path, self.shelf, self.loop) = (history, path, shelf, loop)
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    static func open(at path: String, by calls: StoreCalls, beside ledger: Ledger) async throws -> PieceService {
        let shelf = try await ledger.openShelf { bytes, id in
            try? Snapshot(kept: bytes, expecting: id, hashedBy: Digest.sha256)
        }
        let loop = EventLoop(named: "saves")
        let history = await loop.performing { @Sendable () -> Result<History, HistoryError> in
            do throws(HistoryError) { return .success(try History.open(at: path, by: calls)) } catch {
                return .failure(error)
            }
        }
        return PieceService(try history.get(), at: path, shelf, loop)
    }

    // MARK: Receiving

    /// Decodes versions that a peer sent, and checks all signatures in them. It runs on this thread because each takes
    /// a tenth of a millisecond.
    func checked(_ encoded: [[UInt8]]) throws(SaveRefusal) -> [Snapshot] {
        var snapshots: [Snapshot] = []
        for bytes in encoded { snapshots.append(try Snapshot(decoding: bytes, checkedBy: &check)) }
        return snapshots
    }

    /// Begins to store a version. Returns the pieces of its manifest that are missing.
    /// - Parameter versions: versions of the game that may have most in common with it
    func expect(_ snapshot: Snapshot, beside versions: [Snapshot]) throws -> [PieceReference] {
        if !hasLookedForArrived {
            for (set, pieces) in try arrivedBefore() { own[set] = SetPieces(came: pieces) }
            hasLookedForArrived = true
        }
        let arrival = try arrivals[snapshot.id] ?? Arrival(set: snapshot.set, batch: history.beginBatch())
        arrivals[snapshot.id] = arrival
        try arrival.batch.expect(snapshot)
        return try missing(snapshot.manifest, of: snapshot.set, beside: versions, arrival.batch)
    }

    /// Stores pieces. Returns true for each piece whose bytes match its ID.
    func take(_ pieces: [ArrivedPiece], for snapshot: SnapshotID) throws -> [Bool] {
        let arrival = try arrival(of: snapshot)
        forgetArrivalsBeyondLimit()
        return try pieces.map { piece in
            try piece.bytes.withUnsafeBytes { bytes in
                let digested = DigestedBytes(bytes)
                guard PieceID(words: digested.digest.words) == piece.id else { return false }
                try arrival.batch.put(digested)
                own[arrival.set, default: SetPieces()].takes(piece.id)
                return true
            }
        }
    }

    /// Reads a manifest that has arrived. Returns the pieces of its files that are missing, or its fault.
    func missing(
        of snapshot: Snapshot,
        beside versions: [Snapshot],
        _ bounds: SaveBounds
    ) throws -> Result<[PieceReference], SaveFormatError> {
        let manifest: Manifest
        do throws(HistoryError) {
            // A kept version that lost a piece is repaired whatever its length. It was checked when it came.
            let limit = try history.keeps(snapshot.id) ? .max : bounds.listByteCount
            manifest = try history.manifest(of: snapshot, within: limit)
        } catch {
            guard let fault = error.cause as? SaveFormatError else { throw error }
            return .failure(fault)
        }
        guard manifest.size.bytes <= bounds.snapshotByteCount else { return .failure(SaveFormatError(.tooManyBytes)) }
        let batch = try arrival(of: snapshot.id).batch
        let pieces = try missing(filesOf: manifest, of: snapshot.set, beside: versions, batch)
        // The list stays in memory until all pieces are here. A short one always has room and takes none, so that no
        // machine can keep small games from arriving, nor large ones by many small ones.
        let others = arrivals.reduce(0) { total, other in
            let isShort = other.value.pieceCount <= Self.manyPieces
            return isShort || other.key == snapshot.id ? total : total + other.value.pieceCount
        }
        guard pieces.count <= Self.manyPieces || others + pieces.count <= bounds.arrivingPieceCount else {
            throw SaveSyncError.tooMuchArriving
        }
        arrivals[snapshot.id]?.pieceCount = pieces.count
        return .success(pieces)
    }

    /// Stores a version durably. All of it must be here.
    func finish(_ snapshot: Snapshot) throws {
        try arrival(of: snapshot.id).batch.append(snapshot)
        arrivals[snapshot.id] = nil
        if !arrivals.values.contains(where: { $0.set == snapshot.set }) { own[snapshot.set]?.forgetArrivals() }
    }

    /// Returns a version that is being received. If it was abandoned meanwhile, this throws, so that none of it counts
    /// as stored.
    private func arrival(of snapshot: SnapshotID) throws -> Arrival {
        guard let arrival = arrivals[snapshot] else { throw SaveSyncError.unexpected(snapshot) }
        return arrival
    }

    /// Abandons a version that is being received. Its pieces may be collected.
    func giveUp(_ snapshot: SnapshotID) throws {
        guard arrivals.removeValue(forKey: snapshot) != nil else { return }
        if try !history.keeps(snapshot) { try history.drop([snapshot]) }
    }

    /// Abandons all versions of a game that are being received, also those that were before a restart.
    func giveUp(allOf set: SaveSetID) throws {
        let expected = try history.expectedSnapshots(of: set).map(\.id)
        for snapshot in expected { arrivals[snapshot] = nil }
        own[set] = nil
        if !expected.isEmpty { try history.drop(expected) }
    }

    /// Drops all versions of a game, also those that are being received, damaged or lost.
    func drop(allOf set: SaveSetID) throws {
        try history.forgetLost(history.lostSnapshots.lazy.filter { $0.set == set }.map(\.snapshot))
        let all = try history.snapshotIDs(of: set)
        for snapshot in all { arrivals[snapshot] = nil }
        own[set] = nil
        guard !all.isEmpty else { return }
        try history.drop(all)
        forgetVersions()
    }

    // MARK: Sending

    /// Returns the requested pieces that the peer may have: those that belong to the version.
    func pieces(_ wanted: [PieceReference], of snapshot: Snapshot) throws -> [PieceID] {
        if served?.snapshot != snapshot.id {
            let pieces = Set(snapshot.manifest.map(\.id))
            // An incomplete version has more pieces soon, so its pieces are not remembered. Its manifest may name any
            // piece, also one that only another game has.
            guard try history.keeps(snapshot.id) else {
                return wanted.map(\.id).filter { pieces.contains($0) && own[snapshot.set]?.has($0) == true }
            }
            let files = try history.manifest(of: snapshot).pieces
            // A set that grows step by step takes four times as long.
            var all = Set<PieceID>(minimumCapacity: pieces.count + files.count)
            all.formUnion(pieces)
            for piece in files { all.insert(piece.id) }
            served = (snapshot.id, all)
        }
        return wanted.map(\.id).filter { served?.pieces.contains($0) ?? false }
    }

    /// The number of bytes that are read before the first of them are sent.
    private static let readAhead = 256 << 10

    /// Returns the bytes of the first pieces: at least one piece, then more until ``readAhead`` is reached. A piece
    /// that is missing or damaged is nil.
    func bytes(of pieces: ArraySlice<PieceID>) -> [[UInt8]?] {
        var (read, count) = ([[UInt8]?](), 0)
        for piece in pieces where count < Self.readAhead {
            read.append(try? history.read(piece))
            count += read.last??.count ?? 0
        }
        return read
    }

    // MARK: Care

    /// Releases memory while there is nothing to do.
    func rest() {
        served = nil
        history.rest()
        shelf.forget()
        check.forget()
        forgetVersions()
        FreedMemory.giveBackEnd()
    }

    /// Returns the versions of a game that are here whole.
    func kept(of set: SaveSetID) throws -> Set<SnapshotID> { try history.keptSnapshotIDs(of: set) }

    /// Returns the versions whose record in the history can be read.
    func readable(_ snapshots: Set<SnapshotID>) -> [Snapshot] {
        snapshots.compactMap { try? history.snapshot($0) ?? nil }
    }

    /// Stores the damaged records of a game's versions again, from the ledger's copies.
    func keepRecordsAgain(of set: SaveSetID) throws {
        for id in try history.keptSnapshotIDs(of: set) {
            do throws(HistoryError) { _ = try history.snapshot(id) } catch {
                if error.isLoss, let known = shelf.snapshot(id, of: set) { _ = restored([known]) }
            }
        }
    }

    /// The games that have a version, kept or being received.
    func sets() throws -> Set<SaveSetID> { try history.sets() }

    /// The versions of a game that this machine began to receive, perhaps before a restart.
    func expected(of set: SaveSetID) throws -> [SnapshotID] { try history.expectedSnapshots(of: set).map(\.id) }

    /// Returns those of the unreadable versions that the history keeps.
    func damaged(among snapshots: Set<SnapshotID>) throws -> Set<SnapshotID> {
        try snapshots.filter { try history.keeps($0) }
    }

    /// Stores the records of versions again if they are damaged or lost and all contents are here. Returns the versions
    /// for which that worked.
    func restored(_ snapshots: [Snapshot]) -> [Snapshot] {
        snapshots.filter { snapshot in
            guard let batch = try? history.beginBatch() else { return false }
            return (try? batch.restore(snapshot)) != nil
        }
    }

    /// Stores the records of versions again if they were discarded and all contents are here. Returns the versions that
    /// are incomplete.
    func restoring(_ snapshots: [Snapshot]) -> [SnapshotID] {
        snapshots.filter { snapshot in
            guard let manifest = try? history.manifest(of: snapshot),
                let missing = try? history.missing(of: manifest.pieces.map(\.id)), missing.isEmpty,
                let isKept = try? history.keeps(snapshot.id)
            else { return true }
            return !isKept && restored([snapshot]).isEmpty
        }.map(\.id)
    }

    /// Discards lost versions. Garbage collection no longer waits for them.
    func forgetLost(_ snapshots: [SnapshotID]) throws { try history.forgetLost(snapshots) }

    /// Drops versions, as far as the history keeps them. Pieces that only they need stay until garbage collection.
    func drop(_ snapshots: [SnapshotID]) throws {
        let kept = try snapshots.filter { try history.keeps($0) }
        guard !kept.isEmpty else { return }
        try history.drop(kept)
        forgetVersions()
    }
}
