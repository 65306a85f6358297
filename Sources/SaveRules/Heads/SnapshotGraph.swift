public import Vocabulary

/// The snapshots of one set that are known here, with or without their contents, and what follows from what.
///
/// Those that are kept are read from a ``SnapshotSource`` when they are wanted; in memory are only those that were taken in and are not kept
/// yet. Without a source that is all of them.
///
/// Whether one snapshot holds all that went into another is a question of ancestry. Versions answer it at once where they
/// say no. Where they say yes, the way back is walked as far as it is known, because a machine that was put back to an
/// earlier state may use a number twice, and then versions alone would call older what is only different.
public struct SnapshotGraph: Sendable {
    /// Which set.
    public let set: SaveSetID
    private let source: (any SnapshotSource)?
    private var fresh: [SnapshotID: Snapshot] = [:]

    /// - Parameters:
    ///   - set: which set
    ///   - source: has the snapshots that are kept; nil if nothing is known yet
    public init(_ set: SaveSetID, from source: (any SnapshotSource)? = nil) {
        (self.set, self.source) = (set, source)
    }

    /// A snapshot that is known; nil otherwise.
    public subscript(id: SnapshotID) -> Snapshot? { fresh[id] ?? source?.snapshot(id, of: set) }

    /// Those that were taken in and that no source keeps yet, in no order.
    public var snapshots: some Collection<Snapshot> { fresh.values }

    /// True if a snapshot was taken in and no source keeps it yet.
    public func isFresh(_ id: SnapshotID) -> Bool { fresh[id] != nil }

    /// The source keeps all that was taken in by now.
    public mutating func noteKept() {
        if source != nil { fresh = [:] }
    }

    /// The highest number that a peer has used in those that were taken in.
    func freshCounter(of peer: PeerID) -> UInt64 { fresh.values.reduce(0) { max($0, $1.version[peer]) } }

    /// Takes a snapshot in. Bring its ancestors first, as far as they can be had.
    /// - Throws: what makes it no snapshot of this set; then nothing has changed
    public mutating func insert(_ snapshot: Snapshot) throws(SaveRefusal) {
        guard snapshot.set == set else { throw SaveRefusal(.otherSet) }
        guard self[snapshot.id] == nil else { return }
        guard follows(snapshot) else { throw SaveRefusal(.forgedVersion) }
        fresh[snapshot.id] = snapshot
    }

    /// True if a snapshot's version is that of its parents and one thing more that its author did, or nothing more where
    /// the rules made it. Where not all parents are known, it holds at least what those that are known hold.
    private func follows(_ snapshot: Snapshot) -> Bool {
        let parents = snapshot.parents.compactMap { self[$0]?.version }
        var base = VersionVector()
        for parent in parents {
            guard let merged = try? base.merged(with: parent) else { return false }
            base = merged
        }
        guard base.isWithin(snapshot.version) else { return false }
        guard parents.count == snapshot.parents.count else { return true }
        if snapshot.origin == .merged { return base == snapshot.version }
        let author = snapshot.author
        let others = snapshot.version.parts.filter { $0.peer != author }
        return base[author] < snapshot.version[author] && others == base.parts.filter { $0.peer != author }
    }

    /// True if all that went into one snapshot went into another, or it is that one. A merge made by rules holds nothing of
    /// its own, so a snapshot that holds both its parents holds it. Neither must be known.
    public func holds(_ later: SnapshotID, _ earlier: SnapshotID) -> Bool { holds(later, earlier, WalkBudget()) }

    private func holds(_ later: SnapshotID, _ earlier: SnapshotID, _ budget: WalkBudget) -> Bool {
        if later == earlier { return true }
        guard let top = self[later], let bottom = self[earlier], bottom.version.isWithin(top.version) else {
            return false
        }
        return descends(top, from: bottom, budget) || (bottom.origin == .merged && holdsParts(top, of: bottom, budget))
    }

    /// True if a snapshot holds what a merge by rules was made of, and if that was merged by rules itself, of what that was.
    private func holdsParts(_ later: Snapshot, of merged: Snapshot, _ budget: WalkBudget) -> Bool {
        var walk = AncestorWalk(of: [later.id], in: self, within: budget)
        var (waiting, seen) = (merged.parents, Set(merged.parents))
        while let id = waiting.popLast() {
            guard let part = self[id], !walk.reaches(part) else { continue }
            guard part.version.isWithin(later.version) else { return false }
            // What is no ancestor that is known can only be one beyond these, or beyond what may be read.
            if walk.isCut || walk.farthest.contains(where: { part.version.isWithin($0) }) { continue }
            guard part.origin == .merged, seen.count * max(walk.farthest.count, 1) < Self.mostParts else {
                return false
            }
            for parent in part.parents where seen.insert(parent).inserted { waiting.append(parent) }
        }
        return true
    }

    /// How much is compared at the most: a peer can make up whatever it likes. Who has part in a set does not come near it.
    private static let mostParts = 1 << 16

    private func descends(_ later: Snapshot, from earlier: Snapshot, _ budget: WalkBudget) -> Bool {
        var (waiting, seen) = (later.parents, Set(later.parents))
        while let id = waiting.popLast() {
            if id == earlier.id { return true }
            // Beyond what was forgotten, or may be read, only versions tell.
            guard budget.take(), let snapshot = self[id] else { return true }
            guard earlier.version.isWithin(snapshot.version) else { continue }
            for parent in snapshot.parents where seen.insert(parent).inserted { waiting.append(parent) }
        }
        return false
    }

    /// True if a snapshot takes another's place as head. Of two that hold each other, as merges made in different orders do,
    /// the smaller name stays, on every machine the same.
    public func supersedes(_ one: SnapshotID, _ other: SnapshotID) -> Bool { supersedes(one, other, WalkBudget()) }

    private func supersedes(_ one: SnapshotID, _ other: SnapshotID, _ budget: WalkBudget) -> Bool {
        one != other && holds(one, other, budget) && (one < other || !holds(other, one, budget))
    }

    /// Those of some snapshots that one of others supersedes. All of them together cost what one question may.
    /// - Parameters:
    ///   - ids: at most as many as peers may name
    ///   - tops: what may take their places
    public func superseded(_ ids: some Sequence<SnapshotID>, by tops: [SnapshotID]) -> Set<SnapshotID> {
        let budget = WalkBudget()
        return Set(ids.filter { id in tops.contains { supersedes($0, id, budget) } })
    }

    /// Those of some snapshots that no other of them supersedes, by ascending name.
    public func heads(among ids: some Sequence<SnapshotID>) -> [SnapshotID] {
        let ids = Set(ids)
        guard ids.count > 1 else { return Array(ids) }
        let budget = WalkBudget(WalkBudget.oneQuestion + ids.count)
        var walk = AncestorWalk(of: ids.flatMap { self[$0]?.parents ?? [] }, in: self, within: budget)
        let tops = ids.filter { id in !(self[id].map { walk.reaches($0) } ?? walk.seen.contains(id)) }
        // An ancestor can stand beside its descendant only where that says nothing more than it.
        let versions = Set(tops.compactMap { self[$0]?.version })
        let candidates = ids.filter { tops.contains($0) || self[$0].map { versions.contains($0.version) } ?? true }
        return candidates.sorted().reduce([]) { heads($0, joinedBy: $1) }
    }

    /// The heads there are once another snapshot has come.
    public func heads(_ heads: [SnapshotID], joinedBy id: SnapshotID) -> [SnapshotID] {
        let budget = WalkBudget()
        guard !heads.contains(where: { $0 == id || supersedes($0, id, budget) }) else { return heads }
        return (heads.filter { !supersedes(id, $0, budget) } + [id]).sorted()
    }
}
