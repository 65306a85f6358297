/// The versions that a peer sent, and their ancestors that must still be requested. They are inserted into the graph
/// together, when their chain to known versions is complete.
struct StagedHistory {
    private var snapshots: [SnapshotID: Snapshot] = [:]
    /// The versions in the order in which they came.
    private var order: [SnapshotID] = []
    /// The heads of the peer. The next ones replace them.
    private var heads: [SnapshotID] = []
    /// The parents of the versions that came, as far as they are missing.
    private var wanted: Set<SnapshotID> = []
    /// The wanted versions in the order in which they were found; some have come since.
    private var wantedInOrder: [SnapshotID] = []
    /// The heads and parents that the peer does not have.
    private var gone: Set<SnapshotID> = []
    private var snapshotBytes = 0

    /// The memory of a wanted version: a place in a set and one in an array, of which up to a half is empty.
    private static let wantedByteCount = 128
    private static let goneByteCount = 64

    /// The bytes that this value holds, without the heads.
    var byteCount: Int {
        snapshotBytes + wantedInOrder.count * Self.wantedByteCount + gone.count * Self.goneByteCount
    }

    var count: Int { snapshots.count }

    func isWanted(_ id: SnapshotID) -> Bool { snapshots[id] == nil && (wanted.contains(id) || heads.contains(id)) }

    /// Wants the heads that the peer names, instead of those that it named before. So a peer that names new ones again
    /// and again takes no memory with them.
    mutating func want(heads: [SnapshotID]) {
        if !gone.isEmpty { gone.subtract(Set(self.heads).subtracting(heads)) }
        self.heads = heads
    }

    mutating func take(_ snapshot: Snapshot, _ graph: SnapshotGraph) {
        wanted.remove(snapshot.id)
        guard snapshots.updateValue(snapshot, forKey: snapshot.id) == nil else { return }
        order.append(snapshot.id)
        snapshotBytes += snapshot.byteCount
        for id in snapshot.parents where graph[id] == nil && snapshots[id] == nil && !gone.contains(id) {
            if wanted.insert(id).inserted { wantedInOrder.append(id) }
        }
    }

    mutating func give(up ids: [SnapshotID]) {
        gone.formUnion(ids.filter { isWanted($0) })
        wanted.subtract(ids)
    }

    /// Forgets versions that came from another peer meanwhile.
    mutating func forget(knownIn graph: SnapshotGraph) {
        wanted = wanted.filter { graph[$0] == nil }
        for id in order where graph[id] != nil { snapshotBytes -= snapshots.removeValue(forKey: id)?.byteCount ?? 0 }
        order.removeAll { snapshots[$0] == nil }
    }

    mutating func nextWanted(_ limit: Int, _ graph: SnapshotGraph) -> [SnapshotID] {
        wantedInOrder.removeAll { !wanted.contains($0) }
        var missing = Set<SnapshotID>()
        let missingHeads = heads.filter {
            graph[$0] == nil && snapshots[$0] == nil && !gone.contains($0) && missing.insert($0).inserted
        }
        return Array((missingHeads + wantedInOrder.lazy.filter { !missing.contains($0) }).prefix(limit))
    }

    /// The versions that came, ancestors first.
    var ordered: [Snapshot] {
        var waitingFor: [SnapshotID: Int] = [:]
        var children: [SnapshotID: [SnapshotID]] = [:]
        for snapshot in snapshots.values {
            let parents = snapshot.parents.filter { snapshots[$0] != nil }
            waitingFor[snapshot.id] = parents.count
            for parent in parents { children[parent, default: []].append(snapshot.id) }
        }
        var ready = order.filter { waitingFor[$0] == 0 }
        var place = 0
        while place < ready.count {
            for child in children[ready[place]] ?? [] {
                waitingFor[child, default: 0] -= 1
                if waitingFor[child] == 0 { ready.append(child) }
            }
            place += 1
        }
        return ready.compactMap { snapshots[$0] }
    }
}
