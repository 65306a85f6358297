import SaveRules
import Vocabulary

/// The heads of one machine, with short calls for the events of a test.
struct HeadsPlay {
    var heads: VersionState
    var actions: [VersionState.Action] = []
    let seal: VersionSeal
    private var time: Int64 = 0

    init(_ peer: UInt8) {
        seal = Sample.seal(peer)
        heads = VersionState(own: Sample.peer(peer), graph: SnapshotGraph(Sample.celeste))
    }

    @discardableResult
    mutating func captures(_ contents: String) -> Snapshot {
        time += 1
        let (snapshot, actions) = heads.capture([Sample.piece(contents)], at: time, sealedBy: seal)
        self.actions = actions
        guard let snapshot else { preconditionFailure("“\(contents)” is something new") }
        return snapshot
    }

    /// Learns every version that another machine knows, and has the given ones complete.
    mutating func receives(_ snapshots: Snapshot..., from other: HeadsPlay) throws {
        var (history, waiting) = (Set<Snapshot>(), snapshots.map(\.id))
        while let id = waiting.popLast() {
            guard let known = other.heads.graph[id], history.insert(known).inserted else { continue }
            waiting += known.parents
        }
        try learns(Array(history))
        actions = []
        for snapshot in snapshots { actions += heads.hold(snapshot.id) }
    }

    private mutating func learns(_ snapshots: [Snapshot]) throws {
        var rest = snapshots.filter { heads.graph[$0.id] == nil }
        while !rest.isEmpty {
            let ready = rest.filter { one in !rest.contains { one.parents.contains($0.id) } }
            try heads.learn(ready)
            rest.removeAll { ready.contains($0) }
        }
    }

    mutating func applies(_ snapshot: Snapshot) { actions = heads.applied(snapshot.id) }

    mutating func resolves(_ choice: ConflictChoice) throws -> Snapshot {
        time += 1
        let (snapshots, actions) = try heads.resolve(choice, at: time, sealedBy: seal)
        self.actions = actions
        return snapshots[snapshots.count - 1]
    }

    @discardableResult
    mutating func merges(into contents: String) -> Snapshot {
        let pair = heads.heads.prefix(2)
        let made = heads.merged(pair[0], pair[1], into: [Sample.piece(contents)], sealedBy: seal)
        actions = made.actions
        guard let snapshot = made.snapshot else { preconditionFailure("two heads can be merged") }
        return snapshot
    }
}
