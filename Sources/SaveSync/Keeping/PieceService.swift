import Digests
import History
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// The history at work for peers: pieces that come and go. It has a thread of its own, because all of it waits for the
/// disk.
actor PieceService {
    nonisolated let loop: EventLoop
    nonisolated let history: History
    /// The path of the history.
    nonisolated let path: String
    /// Where all that is known of versions is read.
    nonisolated let shelf: SnapshotShelf
    /// What is on its way, so that nothing of it is collected.
    private var arrivals: [SnapshotID: Arrival] = [:]
    /// How signatures of other machines are checked.
    private var check = SealCheck.ed25519
    /// Which pieces are known to be each set's.
    var own: [SaveSetID: SetPieces] = [:]
    private var hasLookedForArrived = false
    /// Which pieces belong to the snapshot that was asked about last, of those that are here whole.
    private var served: (snapshot: SnapshotID, pieces: Set<PieceID>)?

    /// A snapshot on its way.
    private struct Arrival {
        let set: SaveSetID
        let batch: HistoryBatch
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

    // MARK: What comes

    /// Snapshots as a peer sent them, with all signatures in them checked. It is done here because it takes a tenth of
    /// a millisecond for each.
    func checked(_ encoded: [[UInt8]]) throws(SaveRefusal) -> [Snapshot] {
        var snapshots: [Snapshot] = []
        for bytes in encoded { snapshots.append(try Snapshot(decoding: bytes, checkedBy: &check)) }
        return snapshots
    }

    /// Begins to keep what a snapshot holds. Answers what of its manifest is missing.
    /// - Parameter versions: those of its set that may have most in common with it
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

    /// Takes pieces. Answers of each whether its bytes are those of its name.
    func take(_ pieces: [ArrivedPiece], for snapshot: SnapshotID) throws -> [Bool] {
        let arrival = try arrival(of: snapshot)
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

    /// What a manifest that has come says: what of its files is missing, or what is wrong with it.
    func missing(
        of snapshot: Snapshot,
        beside versions: [Snapshot],
        _ bounds: SaveBounds
    ) throws -> Result<[PieceReference], SaveFormatError> {
        let manifest: Manifest
        do throws(HistoryError) {
            manifest = try history.manifest(of: snapshot)
        } catch {
            guard let fault = error.cause as? SaveFormatError else { throw error }
            return .failure(fault)
        }
        guard manifest.size.bytes <= bounds.snapshotByteCount else { return .failure(SaveFormatError(.tooManyBytes)) }
        let batch = try arrival(of: snapshot.id).batch
        return .success(try missing(manifest.pieces, of: snapshot.set, beside: versions, batch))
    }

    /// All of it is here: keeps it for good.
    func finish(_ snapshot: Snapshot) throws {
        try arrival(of: snapshot.id).batch.append(snapshot)
        arrivals[snapshot.id] = nil
        if !arrivals.values.contains(where: { $0.set == snapshot.set }) { own[snapshot.set]?.forgetArrivals() }
    }

    /// Where it was given up meanwhile, nothing of it must be taken for kept.
    private func arrival(of snapshot: SnapshotID) throws -> Arrival {
        guard let arrival = arrivals[snapshot] else { throw SaveSyncError.unexpected(snapshot) }
        return arrival
    }

    /// It is wanted no more. What came of it may be collected.
    func giveUp(_ snapshot: SnapshotID) throws {
        guard arrivals.removeValue(forKey: snapshot) != nil else { return }
        if try !history.keeps(snapshot) { try history.drop([snapshot]) }
    }

    /// Nothing of a set that is on its way, or was before a restart, is wanted any more.
    func giveUp(allOf set: SaveSetID) throws {
        let expected = try history.expectedSnapshots(of: set).map(\.id)
        for snapshot in expected { arrivals[snapshot] = nil }
        own[set] = nil
        if !expected.isEmpty { try history.drop(expected) }
    }

    /// Nothing of a set stays, or is waited for, any more. Also of what can't be read.
    func drop(allOf set: SaveSetID) throws {
        try history.forgetLost(history.lostSnapshots.lazy.filter { $0.set == set }.map(\.snapshot))
        let all = try history.snapshotIDs(of: set)
        for snapshot in all { arrivals[snapshot] = nil }
        own[set] = nil
        guard !all.isEmpty else { return }
        try history.drop(all)
        forgetVersions()
    }

    // MARK: What goes

    /// Those of the pieces that belong to a snapshot, as far as they are asked for rightly.
    func pieces(_ wanted: [PieceReference], of snapshot: Snapshot) throws -> [PieceID] {
        if served?.snapshot != snapshot.id {
            let pieces = Set(snapshot.manifest.map(\.id))
            // What is still on its way here has more of them soon. It may name anything, also what only another set
            // has.
            guard try history.keeps(snapshot.id) else {
                return wanted.map(\.id).filter { pieces.contains($0) && own[snapshot.set]?.has($0) == true }
            }
            served = (snapshot.id, pieces.union(try history.manifest(of: snapshot).pieces.map(\.id)))
        }
        return wanted.map(\.id).filter { served?.pieces.contains($0) ?? false }
    }

    /// How many bytes are read before the first of them are sent.
    private static let readAhead = 256 << 10

    /// The bytes of the first of the pieces, as many as fit a measure and at least one; nil in place of what is not
    /// here, or damaged.
    func bytes(of pieces: ArraySlice<PieceID>) -> [[UInt8]?] {
        var (read, count) = ([[UInt8]?](), 0)
        for piece in pieces where count < Self.readAhead {
            read.append(try? history.read(piece))
            count += read.last??.count ?? 0
        }
        return read
    }

    // MARK: Care

    /// There is nothing to do for now.
    func rest() {
        served = nil
        shelf.forget()
        check.forget()
        forgetVersions()
        FreedMemory.giveBackEnd()
    }

    /// The snapshots of a set that are here whole.
    func kept(of set: SaveSetID) throws -> Set<SnapshotID> { try history.keptSnapshotIDs(of: set) }

    /// Those of some snapshots of which the history's own record can be read.
    func readable(_ snapshots: Set<SnapshotID>) -> [Snapshot] {
        snapshots.compactMap { try? history.snapshot($0) ?? nil }
    }

    /// Keeps snapshots of a set again if their own records are damaged, from what the ledger knows of them.
    func keepRecordsAgain(of set: SaveSetID) throws {
        for id in try history.keptSnapshotIDs(of: set) {
            do throws(HistoryError) { _ = try history.snapshot(id) } catch {
                if error.isLoss, let known = shelf.snapshot(id, of: set) { _ = restored([known]) }
            }
        }
    }

    /// Those of which versions are kept, or were to come.
    func sets() throws -> Set<SaveSetID> { try history.sets() }

    /// What is to come of a set, and was begun, perhaps before a restart.
    func expected(of set: SaveSetID) throws -> [SnapshotID] { try history.expectedSnapshots(of: set).map(\.id) }

    /// Those of some snapshots that could not be read which are kept all the same.
    func damaged(among snapshots: Set<SnapshotID>) throws -> Set<SnapshotID> {
        try snapshots.filter { try history.keeps($0) }
    }

    /// Keeps those of some snapshots anew whose own records are damaged or lost, and all of whose contents is here.
    /// Answers which.
    func restored(_ snapshots: [Snapshot]) -> [Snapshot] {
        snapshots.filter { snapshot in
            guard let batch = try? history.beginBatch() else { return false }
            return (try? batch.restore(snapshot)) != nil
        }
    }

    /// Keeps those of some snapshots anew whose own records were given up, and all of whose contents is here. Answers
    /// those of which not all is.
    func restoring(_ snapshots: [Snapshot]) -> [SnapshotID] {
        snapshots.filter { snapshot in
            guard let manifest = try? history.manifest(of: snapshot),
                let missing = try? history.missing(of: manifest.pieces.map(\.id)), missing.isEmpty,
                let isKept = try? history.keeps(snapshot.id)
            else { return true }
            return !isKept && restored([snapshot]).isEmpty
        }.map(\.id)
    }

    /// Those of some snapshots that are lost are waited for no longer.
    func forgetLost(_ snapshots: [SnapshotID]) throws { try history.forgetLost(snapshots) }

    /// No longer keeps those of some snapshots that are kept. What only they needed is there until it is collected.
    func drop(_ snapshots: [SnapshotID]) throws {
        let kept = try snapshots.filter { try history.keeps($0) }
        guard !kept.isEmpty else { return }
        try history.drop(kept)
        forgetVersions()
    }
}
