extension VersionState {
    /// Takes in snapshots that a peer sent, ancestors first. Their contents are another matter; see ``hold(_:)``.
    /// - Throws: what one of them is not taken for; those before it stay
    public mutating func learn(_ snapshots: [Snapshot]) throws(SaveRefusal) {
        for snapshot in snapshots {
            try graph.insert(snapshot)
            usedCounter = max(usedCounter, snapshot.version[own])
        }
    }

    /// Which of some snapshots are news of this machine's own past.
    /// - Parameter snapshots: what was learned, and was not known before
    /// - Returns: nil where none of them is
    public func recollection(of snapshots: [Snapshot]) -> Recollection? {
        let numbers = Set(snapshots.compactMap(ownNumber))
        guard let lowest = numbers.min() else { return nil }
        let count = snapshots.count { ownNumber(of: $0) != nil }
        return Recollection(count: count, usesNumbersTwice: !numbers.isDisjoint(with: ownNumbers(from: lowest)))
    }

    /// The number under which this machine made a snapshot; nil where it gave it none.
    private func ownNumber(of snapshot: Snapshot) -> UInt64? {
        snapshot.author == own && snapshot.origin != .merged ? snapshot.version[own] : nil
    }

    /// The numbers of what this machine has made, as far back as a certain one, or so many versions.
    private func ownNumbers(from lowest: UInt64) -> Set<UInt64> {
        var (numbers, waiting, seen) = (Set<UInt64>(), heads + (applied.map { [$0] } ?? []), Set<SnapshotID>())
        while let id = waiting.popLast(), seen.count < Self.mostLookedAt {
            guard seen.insert(id).inserted, let snapshot = graph[id], snapshot.version[own] >= lowest else { continue }
            if let number = ownNumber(of: snapshot) { numbers.insert(number) }
            waiting += snapshot.parents
        }
        return numbers
    }

    /// A machine makes fewer versions between a backup and the day on which it meets others again.
    private static let mostLookedAt = 1_024

    /// Which of some snapshots are worth fetching: known, not here, and not superseded by one that is.
    public func missing(among ids: some Sequence<SnapshotID>) -> [SnapshotID] {
        let candidates = Set(ids.filter { graph[$0] != nil && !held.contains($0) })
        return graph.heads(among: candidates.subtracting(graph.superseded(candidates, by: heads)))
    }

    /// The contents of a snapshot are all here, safely kept. Older ones change nothing; a newer one is applied; one beside
    /// the head makes a conflict.
    public mutating func hold(_ id: SnapshotID) -> [Action] {
        // The disk that it is read from may fail: then the next start finds it.
        guard graph[id] != nil else { return [] }
        return changing { heads in
            guard heads.held.insert(id).inserted else { return }
            heads.heads = heads.graph.heads(heads.heads, joinedBy: id)
        }
    }

    /// The snapshots here that hold one thing, by ascending name.
    public func holding(_ manifest: [PieceReference]) -> [SnapshotID] {
        held.filter { graph[$0]?.manifest == manifest }.sorted()
    }

    /// The contents of some snapshots are no longer here: retention dropped them. That they were is still known.
    public mutating func drop(_ ids: some Sequence<SnapshotID>) {
        let ids = Set(ids)
        precondition(ids.isDisjoint(with: protected), "what is newest or shown is not dropped")
        held.subtract(ids)
    }

    /// Settings have changed: every two sides may merge again, and the folder shows this, as far as the caller knows.
    ///
    /// Call ``resume()`` next.
    public mutating func settle(showing id: SnapshotID?) {
        (applied, unmergeable, hasToldSplit) = (id, [], false)
    }

    /// The folder holds this now.
    public mutating func applied(_ id: SnapshotID) -> [Action] {
        precondition(held.contains(id), "only what is here can be applied")
        return changing { $0.applied = id }
    }
}
