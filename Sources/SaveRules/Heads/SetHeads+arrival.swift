extension SetHeads {
    /// Takes in snapshots that a peer sent, ancestors first. Their contents are another matter; see ``hold(_:)``.
    /// - Throws: what one of them is not taken for; those before it stay
    public mutating func learn(_ snapshots: [Snapshot]) throws(SaveRefusal) {
        for snapshot in snapshots {
            guard snapshot.version[own] <= usedCounter + Self.counterLeap else { throw SaveRefusal(.forgedCounter) }
            try graph.insert(snapshot)
            usedCounter = max(usedCounter, snapshot.version[own])
        }
    }

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

    /// The folder holds this now.
    public mutating func applied(_ id: SnapshotID) -> [Action] {
        precondition(held.contains(id), "only what is here can be applied")
        return changing { $0.applied = id }
    }
}
