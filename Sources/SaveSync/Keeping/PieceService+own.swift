import History
import SaveRules

/// The pieces that count as here for a game: those that came for it, and those of its own versions. All others are
/// fetched, even if another game has them.
extension PieceService {
    /// Returns the pieces that must be fetched. The pieces that are here are claimed, so that none is collected
    /// meanwhile.
    /// - Parameter versions: versions that are read first
    func missing(
        _ pieces: [PieceReference],
        of set: SaveSetID,
        beside versions: [Snapshot],
        _ batch: HistoryBatch
    ) throws(HistoryError) -> [PieceReference] {
        let absent = try batch.claim(all: pieces.map(\.id))
        let present = Set(pieces.lazy.map(\.id).filter { !absent.contains($0) })
        let foreign = try foreign(among: present, to: set, beside: versions)
        return pieces.filter { absent.contains($0.id) || foreign.contains($0.id) }
    }

    /// Returns the pieces of a version's files that must be fetched. What a whole version of the game has counts as the
    /// game's without a look at each piece, and the record of an expected version protects its pieces.
    func missing(
        filesOf manifest: Manifest,
        of set: SaveSetID,
        beside versions: [Snapshot],
        _ batch: HistoryBatch
    ) throws(HistoryError) -> [PieceReference] {
        let pieces = manifest.pieces
        // A peer must not cause work for a large version by a tiny one.
        guard pieces.count > Self.manyPieces, let known = try wholeManifest(among: versions) else {
            return try missing(pieces, of: set, beside: versions, batch)
        }
        let changed = manifest.differences(from: known).flatMap { pair in
            let before = Set((pair.old?.file?.pieces ?? []).map(\.id))
            return (pair.new?.file?.pieces ?? []).filter { !before.contains($0.id) }
        }
        let wanted = Set(try missing(changed, of: set, beside: versions, batch).map(\.id))
        // Damage may have taken pieces of a whole version.
        let all = try wanted.union(batch.missing(of: pieces.map(\.id)))
        return all.isEmpty ? [] : pieces.filter { all.contains($0.id) }
    }

    /// The number of pieces up to which a look at each one takes milliseconds.
    static let manyPieces = 4_096

    /// Returns the manifest of the first version that is whole here.
    private func wholeManifest(among versions: [Snapshot]) throws(HistoryError) -> Manifest? {
        for version in versions where try history.keeps(version.id) {
            do throws(HistoryError) { return try history.manifest(of: version) } catch {
                guard error.isLoss else { throw error }
            }
        }
        return nil
    }

    /// Returns the pieces that belong to no known version of a game. Each version is read at most once while there are
    /// pieces to find, and an old one only for pieces that no newer one has. So a peer can't cause much work by naming
    /// one piece after the other.
    private func foreign(
        among pieces: Set<PieceID>,
        to set: SaveSetID,
        beside versions: [Snapshot]
    ) throws(HistoryError) -> Set<PieceID> {
        guard !pieces.isEmpty else { return [] }
        var known = own.removeValue(forKey: set) ?? SetPieces()
        defer { keepInMind(known, of: set) }
        for version in versions { known.holds(version.manifest) }
        var rest = pieces.filter { !known.has($0) }
        for version in versions where !rest.isEmpty { try look(into: version, for: &rest, &known) }
        guard !rest.isEmpty else { return [] }
        // One by one, because a game may have thousands of versions.
        for id in try history.keptSnapshotIDs(of: set) where !rest.isEmpty && !known.knows(id) {
            if let version = try readable(id) { try look(into: version, for: &rest, &known) }
        }
        return rest
    }

    private func look(
        into version: Snapshot,
        for rest: inout Set<PieceID>,
        _ known: inout SetPieces
    ) throws(HistoryError) {
        guard !known.knows(version.id), let pieces = try pieces(of: version) else { return }
        known.holds(pieces, allOf: version.id)
        rest = rest.filter { [known] in !known.has($0) }
    }

    /// Returns all pieces of a version; nil if a part of it is damaged or missing.
    private func pieces(of version: Snapshot) throws(HistoryError) -> [PieceReference]? {
        do throws(HistoryError) {
            // The version may be one that is not checked yet.
            let limit = try history.keeps(version.id) ? .max : Manifest.maximumForeignMemory
            return version.manifest + (try history.manifest(of: version, within: limit).pieces)
        } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    /// Returns a version; nil if its own record is damaged.
    private func readable(_ id: SnapshotID) throws(HistoryError) -> Snapshot? {
        do throws(HistoryError) { return try history.snapshot(id) } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    private func keepInMind(_ known: SetPieces, of set: SaveSetID) {
        if own.values.reduce(known.heldCount, { $0 + $1.heldCount }) > SetPieces.most { forgetVersions() }
        own[set] = known
    }

    /// Forgets the pieces that came for the game with the most of them, if those of all games are too many.
    func forgetArrivalsBeyondLimit() {
        guard own.values.reduce(0, { $0 + $1.cameCount }) > SetPieces.most,
            let largest = own.max(by: { $0.value.cameCount < $1.value.cameCount })
        else { return }
        own[largest.key]?.forgetArrivals()
    }

    /// Forgets the pieces of versions. The next call that needs them reads them again.
    func forgetVersions() {
        for set in own.keys { own[set]?.forgetVersions() }
    }

    /// Pieces that came before a restart for versions that are not whole yet, by game. Pieces that versions of other
    /// games have, too, are left out, because they may have come for those. They are fetched again.
    func arrivedBefore() throws(HistoryError) -> [SaveSetID: Set<PieceID>] {
        var (sets, foreign) = ([PieceID: SaveSetID](), Set<PieceID>())
        for version in try history.expectedSnapshots() {
            let pieces = (try pieces(of: version) ?? version.manifest).map(\.id)
            let absent = Set(try history.missing(of: pieces))
            for piece in pieces where !absent.contains(piece) {
                let other = sets.updateValue(version.set, forKey: piece)
                if let other, other != version.set { foreign.insert(piece) }
            }
        }
        guard !sets.isEmpty else { return [:] }
        for set in try history.sets() {
            for id in try history.keptSnapshotIDs(of: set) {
                guard let version = try readable(id) else { continue }
                for piece in try pieces(of: version) ?? version.manifest {
                    if let set = sets[piece.id], set != version.set { foreign.insert(piece.id) }
                }
            }
        }
        return sets.reduce(into: [:]) { arrived, piece in
            if !foreign.contains(piece.key) { arrived[piece.value, default: []].insert(piece.key) }
        }
    }
}
