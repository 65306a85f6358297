public import Vocabulary

/// The known versions of one game, with or without their content, and their ancestry.
///
/// Stored versions are read from a ``SnapshotSource`` when needed. Memory holds only new versions that are not stored
/// yet. Without a source, memory holds all.
///
/// Ancestry decides if one version includes another. Version vectors can say no at once. If they say yes, the graph
/// walks back through known ancestors, too. A machine that was set back to an earlier state may use a counter twice,
/// and then the vectors alone would call a different version older.
public struct SnapshotGraph: Sendable {
    /// The game.
    public let set: SaveSetID
    private let source: (any SnapshotSource)?
    private var fresh: [SnapshotID: Snapshot] = [:]

    /// - Parameters:
    ///   - set: the game
    ///   - source: reads the stored versions; nil if nothing is known yet
    public init(_ set: SaveSetID, from source: (any SnapshotSource)? = nil) {
        (self.set, self.source) = (set, source)
    }

    /// The version with an id; nil if it is not known.
    public subscript(id: SnapshotID) -> Snapshot? { fresh[id] ?? source?.snapshot(id, of: set) }

    /// The new versions that the source does not store yet, in no order.
    public var snapshots: some Collection<Snapshot> { fresh.values }

    /// True if a version is new and the source does not store it yet.
    public func isFresh(_ id: SnapshotID) -> Bool { fresh[id] != nil }

    /// Notes that the source stores all new versions now.
    public mutating func noteKept() {
        if source != nil { fresh = [:] }
    }

    /// The highest counter of a peer in the new versions.
    func freshCounter(of peer: PeerID) -> UInt64 { fresh.values.reduce(0) { max($0, $1.version[peer]) } }

    /// Inserts a version. Insert its ancestors first, as far as they are available.
    /// - Throws: the reason why it is no version of this game; then nothing has changed
    public mutating func insert(_ snapshot: Snapshot) throws(SaveRefusal) {
        guard snapshot.set == set else { throw SaveRefusal(.otherSet) }
        guard self[snapshot.id] == nil else { return }
        guard follows(snapshot) else { throw SaveRefusal(.forgedVersion) }
        fresh[snapshot.id] = snapshot
    }

    /// True if a version vector is that of the parents plus one change of the author, or without a change for a merge
    /// by rules. If some parents are unknown, it must include at least the known ones.
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

    /// True if one version includes another, or is the same. A merge by rules adds nothing of its own, so a version
    /// that includes both its parents includes it. False for unknown versions, unless they are the same.
    public func holds(_ later: SnapshotID, _ earlier: SnapshotID) -> Bool { holds(later, earlier, WalkBudget()) }

    private func holds(_ later: SnapshotID, _ earlier: SnapshotID, _ budget: WalkBudget) -> Bool {
        if later == earlier { return true }
        guard let top = self[later], let bottom = self[earlier], bottom.version.isWithin(top.version) else {
            return false
        }
        return descends(top, from: bottom, budget) || (bottom.origin == .merged && holdsParts(top, of: bottom, budget))
    }

    /// True if a version includes the parents of a merge by rules. A parent may be such a merge, too: then its parents
    /// count.
    private func holdsParts(_ later: Snapshot, of merged: Snapshot, _ budget: WalkBudget) -> Bool {
        var walk = AncestorWalk(of: [later.id], in: self, within: budget)
        var (waiting, seen) = (merged.parents, Set(merged.parents))
        while let id = waiting.popLast() {
            guard let part = self[id], !walk.reaches(part) else { continue }
            guard part.version.isWithin(later.version) else { return false }
            // A part that is not among the known ancestors can only be beyond these, or beyond the budget.
            if walk.isCut || walk.farthest.contains(where: { part.version.isWithin($0) }) { continue }
            guard part.origin == .merged, seen.count * max(walk.farthest.count, 1) < Self.mostParts else {
                return false
            }
            for parent in part.parents where seen.insert(parent).inserted { waiting.append(parent) }
        }
        return true
    }

    /// The limit for comparisons: a peer can invent any history. Real histories do not come near it.
    private static let mostParts = 1 << 16

    private func descends(_ later: Snapshot, from earlier: Snapshot, _ budget: WalkBudget) -> Bool {
        var (waiting, seen) = (later.parents, Set(later.parents))
        while let id = waiting.popLast() {
            if id == earlier.id { return true }
            // Beyond forgotten versions, or beyond the budget, only version vectors decide.
            guard budget.take(), let snapshot = self[id] else { return true }
            guard earlier.version.isWithin(snapshot.version) else { continue }
            for parent in snapshot.parents where seen.insert(parent).inserted { waiting.append(parent) }
        }
        return false
    }

    /// True if one version replaces another as head. Merges in different orders can include each other: then the
    /// smaller id stays, the same on every machine.
    public func supersedes(_ one: SnapshotID, _ other: SnapshotID) -> Bool { supersedes(one, other, WalkBudget()) }

    private func supersedes(_ one: SnapshotID, _ other: SnapshotID, _ budget: WalkBudget) -> Bool {
        one != other && holds(one, other, budget) && (one < other || !holds(other, one, budget))
    }

    /// Returns the versions that one of others replaces as head. All of them together share the budget of one question.
    /// - Parameters:
    ///   - ids: at most as many as peers may name
    ///   - tops: the versions that may replace them
    public func superseded(_ ids: some Sequence<SnapshotID>, by tops: [SnapshotID]) -> Set<SnapshotID> {
        let budget = WalkBudget()
        return Set(ids.filter { id in tops.contains { supersedes($0, id, budget) } })
    }

    /// Returns the versions that no other of them replaces, by ascending id.
    public func heads(among ids: some Sequence<SnapshotID>) -> [SnapshotID] {
        let ids = Set(ids)
        guard ids.count > 1 else { return Array(ids) }
        let budget = WalkBudget(WalkBudget.oneQuestion + ids.count)
        var walk = AncestorWalk(of: ids.flatMap { self[$0]?.parents ?? [] }, in: self, within: budget)
        let tops = ids.filter { id in !(self[id].map { walk.reaches($0) } ?? walk.seen.contains(id)) }
        // An ancestor can be a head beside its descendant only if the descendant has the same version vector.
        let versions = Set(tops.compactMap { self[$0]?.version })
        let candidates = ids.filter { tops.contains($0) || self[$0].map { versions.contains($0.version) } ?? true }
        return candidates.sorted().reduce([]) { heads($0, joinedBy: $1) }
    }

    /// Returns the heads after another version has come.
    public func heads(_ heads: [SnapshotID], joinedBy id: SnapshotID) -> [SnapshotID] {
        let budget = WalkBudget()
        guard !heads.contains(where: { $0 == id || supersedes($0, id, budget) }) else { return heads }
        return (heads.filter { !supersedes(id, $0, budget) } + [id]).sorted()
    }
}
