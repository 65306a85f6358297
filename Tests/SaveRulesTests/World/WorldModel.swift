import SaveRules

/// The truth about a world, as simply as possible: every snapshot stands for the set of deeds that went into
/// it. A merge by rules adds no deed of its own.
struct WorldModel {
    private(set) var deeds: [SnapshotID: Set<SnapshotID>] = [:]
    private(set) var made: [SnapshotID: Snapshot] = [:]

    mutating func add(_ snapshot: Snapshot) {
        let inherited = snapshot.parents.reduce(into: Set<SnapshotID>()) { $0.formUnion(deeds[$1] ?? []) }
        deeds[snapshot.id] = snapshot.origin == .merged ? inherited : inherited.union([snapshot.id])
        made[snapshot.id] = snapshot
    }

    /// The heads that all machines have to agree on, where these snapshots are all there are.
    func heads(among ids: Set<SnapshotID>) -> [SnapshotID] {
        ids.filter { one in !ids.contains { supersedes($0, one) } }.sorted()
    }

    private func supersedes(_ one: SnapshotID, _ other: SnapshotID) -> Bool {
        guard one != other, let more = deeds[one], let less = deeds[other] else { return false }
        return more == less ? one < other : more.isSuperset(of: less)
    }
}
