public import Vocabulary

/// The snapshots of one set that are known here, with or without their contents, and what follows from what.
///
/// Whether one snapshot holds all that went into another is a question of ancestry. Versions answer it at once where they
/// say no. Where they say yes, the way back is walked as far as it is known, because a machine that was put back to an
/// earlier state may use a number twice, and then versions alone would call older what is only different.
public struct SnapshotGraph: Sendable {
    /// Which set.
    public let set: SaveSetID
    private var known: [SnapshotID: Snapshot] = [:]
    /// How many bytes those that are known have.
    public private(set) var byteCount = 0

    /// Nothing is known yet.
    public init(_ set: SaveSetID) {
        self.set = set
    }

    /// A snapshot that is known; nil otherwise.
    public subscript(id: SnapshotID) -> Snapshot? { known[id] }

    /// How many are known.
    public var count: Int { known.count }

    /// All that are known, in no order.
    public var snapshots: some Collection<Snapshot> { known.values }

    /// The highest number that a peer is known to have used.
    public func counter(of peer: PeerID) -> UInt64 { known.values.reduce(0) { max($0, $1.version[peer]) } }

    /// Takes a snapshot in. Bring its ancestors first, as far as they can be had.
    /// - Throws: what makes it no snapshot of this set; then nothing has changed
    public mutating func insert(_ snapshot: Snapshot) throws(SaveRefusal) {
        guard snapshot.set == set else { throw SaveRefusal(.otherSet) }
        guard known[snapshot.id] == nil else { return }
        guard follows(snapshot) else { throw SaveRefusal(.forgedVersion) }
        known[snapshot.id] = snapshot
        byteCount += snapshot.byteCount
    }

    /// Forgets a snapshot altogether. What came from it is then believed its version.
    public mutating func forget(_ id: SnapshotID) {
        byteCount -= known.removeValue(forKey: id)?.byteCount ?? 0
    }

    /// Whether a snapshot's version is that of its parents and one thing more that its author did, or nothing more where
    /// the rules made it. Where not all parents are known, it holds at least what those that are known hold.
    private func follows(_ snapshot: Snapshot) -> Bool {
        let parents = snapshot.parents.compactMap { known[$0]?.version }
        var base = VersionVector()
        for parent in parents {
            guard let merged = try? base.merged(with: parent) else { return false }
            base = merged
        }
        guard base.isWithin(snapshot.version) else { return false }
        guard parents.count == snapshot.parents.count else { return true }
        guard let author = snapshot.author else { return base == snapshot.version }
        let others = snapshot.version.parts.filter { $0.peer != author }
        return base[author] < snapshot.version[author] && others == base.parts.filter { $0.peer != author }
    }

    /// Whether all that went into one snapshot went into another, or it is that one. A merge made by rules holds nothing of
    /// its own, so whatever holds both its parents holds it. Neither has to be known.
    public func holds(_ later: SnapshotID, _ earlier: SnapshotID) -> Bool {
        if later == earlier { return true }
        guard let top = known[later], let bottom = known[earlier], bottom.version.isWithin(top.version) else {
            return false
        }
        return descends(top, from: bottom) || (bottom.origin == .merged && holdsParts(top, of: bottom))
    }

    /// Whether a snapshot holds what a merge by rules was made of, and if that was merged by rules itself, of what that was.
    private func holdsParts(_ later: Snapshot, of merged: Snapshot) -> Bool {
        let ancestors = ancestors(of: later.id)
        // What is no ancestor that is known can only be one beyond these.
        let farthest = Set(ancestors.compactMap { known[$0] }.filter(isFarthest).map(\.version))
        var (waiting, seen) = (merged.parents, Set(merged.parents))
        while let id = waiting.popLast() {
            guard !ancestors.contains(id), let part = known[id] else { continue }
            guard part.version.isWithin(later.version) else { return false }
            if farthest.contains(where: { part.version.isWithin($0) }) { continue }
            guard part.origin == .merged, seen.count * max(farthest.count, 1) < Self.mostParts else { return false }
            for parent in part.parents where seen.insert(parent).inserted { waiting.append(parent) }
        }
        return true
    }

    /// How much is compared at the most: a peer can make up whatever it likes. Who has part in a set does not come near it.
    private static let mostParts = 1 << 16

    /// Whether something that it came from is not known.
    private func isFarthest(_ snapshot: Snapshot) -> Bool { snapshot.parents.contains { known[$0] == nil } }

    private func descends(_ later: Snapshot, from earlier: Snapshot) -> Bool {
        var (waiting, seen) = (later.parents, Set(later.parents))
        while let id = waiting.popLast() {
            if id == earlier.id { return true }
            // Beyond what was forgotten only versions tell.
            guard let snapshot = known[id] else { return true }
            guard earlier.version.isWithin(snapshot.version) else { continue }
            for parent in snapshot.parents where seen.insert(parent).inserted { waiting.append(parent) }
        }
        return false
    }

    /// Whether a snapshot takes another's place as head. Of two that hold each other, as merges made in different orders do,
    /// the smaller name stays, on every machine the same.
    public func supersedes(_ one: SnapshotID, _ other: SnapshotID) -> Bool {
        one != other && holds(one, other) && (one < other || !holds(other, one))
    }

    /// Those of some snapshots that no other of them supersedes, by ascending name.
    public func heads(among ids: some Sequence<SnapshotID>) -> [SnapshotID] {
        let ids = Set(ids)
        let tops = ids.subtracting(properAncestors(of: ids))
        // An ancestor can stand beside its descendant only where that says nothing more than it.
        let versions = Set(tops.compactMap { known[$0]?.version })
        let candidates = ids.filter { tops.contains($0) || known[$0].map { versions.contains($0.version) } ?? true }
        return candidates.sorted().reduce([]) { heads($0, joinedBy: $1) }
    }

    private func properAncestors(of ids: Set<SnapshotID>) -> Set<SnapshotID> {
        var (seen, waiting): (Set<SnapshotID>, [SnapshotID]) = ([], ids.flatMap { known[$0]?.parents ?? [] })
        while let id = waiting.popLast() {
            if seen.insert(id).inserted { waiting += known[id]?.parents ?? [] }
        }
        return seen
    }

    /// The heads there are once another snapshot has come.
    func heads(_ heads: [SnapshotID], joinedBy id: SnapshotID) -> [SnapshotID] {
        guard !heads.contains(where: { $0 == id || supersedes($0, id) }) else { return heads }
        return (heads.filter { !supersedes(id, $0) } + [id]).sorted()
    }
}
