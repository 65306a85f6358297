import SaveRules

/// A simple model of a world: each snapshot has the set of saves and choices that it includes. A merge by rules adds
/// nothing.
struct WorldModel {
    private(set) var deeds: [SnapshotID: Set<SnapshotID>] = [:]
    private(set) var made: [SnapshotID: Snapshot] = [:]

    mutating func add(_ snapshot: Snapshot) {
        let inherited = snapshot.parents.reduce(into: Set<SnapshotID>()) { $0.formUnion(deeds[$1] ?? []) }
        deeds[snapshot.id] = snapshot.origin == .merged ? inherited : inherited.union([snapshot.id])
        made[snapshot.id] = snapshot
    }

    /// The heads that all machines must agree on, if these snapshots are all there are.
    func heads(among ids: Set<SnapshotID>) -> [SnapshotID] {
        ids.filter { one in !ids.contains { supersedes($0, one) } }.sorted()
    }

    private func supersedes(_ one: SnapshotID, _ other: SnapshotID) -> Bool {
        guard one != other, let more = deeds[one], let less = deeds[other] else { return false }
        return more == less ? one < other : more.isSuperset(of: less)
    }
}
