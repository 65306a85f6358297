extension VersionState {
    /// Inserts versions that a peer sent, ancestors first. Their content comes separately; see ``hold(_:)``.
    /// - Throws: the reason why one of them is refused; those before it stay
    public mutating func learn(_ snapshots: [Snapshot]) throws(SaveRefusal) {
        for snapshot in snapshots {
            try graph.insert(snapshot)
            usedCounter = max(usedCounter, snapshot.version[own])
        }
    }

    /// Returns the versions among some that this machine signed and did not know.
    /// - Parameter snapshots: the versions that were just learned
    /// - Returns: nil if there are none
    public func recollection(of snapshots: [Snapshot]) -> Recollection? {
        let numbers = Set(snapshots.compactMap(ownNumber))
        guard let lowest = numbers.min() else { return nil }
        let count = snapshots.count { ownNumber(of: $0) != nil }
        return Recollection(count: count, usesNumbersTwice: !numbers.isDisjoint(with: ownNumbers(from: lowest)))
    }

    /// The counter that this machine raised for a version; nil if it made none.
    private func ownNumber(of snapshot: Snapshot) -> UInt64? {
        snapshot.author == own && snapshot.origin != .merged ? snapshot.version[own] : nil
    }

    /// Returns the counters of versions that this machine has made, down to a certain one, or for a limited number of
    /// versions.
    private func ownNumbers(from lowest: UInt64) -> Set<UInt64> {
        var (numbers, waiting, seen) = (Set<UInt64>(), heads + (applied.map { [$0] } ?? []), Set<SnapshotID>())
        while let id = waiting.popLast(), seen.count < Self.mostLookedAt {
            guard seen.insert(id).inserted, let snapshot = graph[id], snapshot.version[own] >= lowest else { continue }
            if let number = ownNumber(of: snapshot) { numbers.insert(number) }
            waiting += snapshot.parents
        }
        return numbers
    }

    /// The limit for that. A machine makes fewer versions from a backup to the day on which it meets others again.
    private static let mostLookedAt = 1_024

    /// Returns the versions among some that are worth fetching: known, not stored here, and not replaced by a stored
    /// one.
    public func missing(among ids: some Sequence<SnapshotID>) -> [SnapshotID] {
        let candidates = Set(ids.filter { graph[$0] != nil && !held.contains($0) })
        return graph.heads(among: candidates.subtracting(graph.superseded(candidates, by: heads)))
    }

    /// Notes that the content of a version is stored here as a whole. An older one changes nothing. A newer one is
    /// applied. One beside the head makes a conflict.
    public mutating func hold(_ id: SnapshotID) -> [Action] {
        // Reading it from the disk may fail. Then the next start finds it.
        guard graph[id] != nil else { return [] }
        return changing { heads in
            guard heads.held.insert(id).inserted else { return }
            heads.heads = heads.graph.heads(heads.heads, joinedBy: id)
        }
    }

    /// Returns the stored versions with a certain content, by ascending id.
    public func holding(_ manifest: [PieceReference]) -> [SnapshotID] {
        held.filter { graph[$0]?.manifest == manifest }.sorted()
    }

    /// Notes that retention dropped the content of some versions. The versions stay known.
    public mutating func drop(_ ids: some Sequence<SnapshotID>) {
        let ids = Set(ids)
        precondition(ids.isDisjoint(with: protected), "what is newest or shown is not dropped")
        held.subtract(ids)
    }

    /// Notes that settings have changed: every two sides may merge again, and the folder shows this version, as far as
    /// the caller knows.
    ///
    /// Call ``resume()`` next.
    public mutating func settle(showing id: SnapshotID?) {
        (applied, unmergeable, hasReportedSplit) = (id, [], false)
    }

    /// Notes that the folder shows this version now.
    public mutating func applied(_ id: SnapshotID) -> [Action] {
        precondition(held.contains(id), "only what is here can be applied")
        return changing { $0.applied = id }
    }
}
