/// The versions that a peer sent, and their ancestors that must still be requested. They are inserted into the graph
/// together, when their chain to known versions is complete.
struct StagedHistory {
    private var snapshots: [SnapshotID: Snapshot] = [:]
    /// The versions in the order in which they came.
    private var order: [SnapshotID] = []
    private var wanted: Set<SnapshotID> = []
    /// The wanted versions in the order in which they were found; some have come since.
    private var wantedInOrder: [SnapshotID] = []
    /// The versions that the peer does not have.
    private var gone: Set<SnapshotID> = []
    private(set) var byteCount = 0

    var count: Int { snapshots.count }

    func isWanted(_ id: SnapshotID) -> Bool { wanted.contains(id) }

    func has(_ id: SnapshotID) -> Bool { snapshots[id] != nil }

    mutating func want(_ ids: some Sequence<SnapshotID>, _ graph: SnapshotGraph) {
        for id in ids where graph[id] == nil && snapshots[id] == nil && !gone.contains(id) {
            if wanted.insert(id).inserted { wantedInOrder.append(id) }
        }
    }

    mutating func take(_ snapshot: Snapshot, _ graph: SnapshotGraph) {
        wanted.remove(snapshot.id)
        snapshots[snapshot.id] = snapshot
        order.append(snapshot.id)
        byteCount += snapshot.byteCount
        want(snapshot.parents, graph)
    }

    mutating func give(up ids: [SnapshotID]) {
        gone.formUnion(ids)
        wanted.subtract(ids)
    }

    /// Forgets versions that came from another peer meanwhile.
    mutating func forget(knownIn graph: SnapshotGraph) {
        wanted = wanted.filter { graph[$0] == nil }
        for id in order where graph[id] != nil { snapshots[id] = nil }
        order.removeAll { snapshots[$0] == nil }
    }

    mutating func nextWanted(_ limit: Int) -> [SnapshotID] {
        wantedInOrder.removeAll { !wanted.contains($0) }
        return Array(wantedInOrder.prefix(limit))
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
