extension SnapshotGraph {
    /// The newest snapshots that two have in common, by ascending name. For a merge of three, the one where there is one.
    public func commonAncestors(of one: SnapshotID, _ other: SnapshotID) -> [SnapshotID] {
        let common = ancestors(of: one).intersection(ancestors(of: other))
        // Only what no other common one came from.
        let inner = Set(common.flatMap { self[$0]?.parents ?? [] })
        return heads(among: common.subtracting(inner))
    }

    /// A snapshot and all that it came from, as far as that is known.
    public func ancestors(of id: SnapshotID) -> Set<SnapshotID> { ancestors(of: [id]) }

    /// Some snapshots and all that they came from, as far as that is known: each is met once, however many came from it.
    func ancestors(of ids: [SnapshotID]) -> Set<SnapshotID> {
        var (seen, waiting): (Set<SnapshotID>, [SnapshotID]) = ([], ids)
        while let id = waiting.popLast() {
            guard let snapshot = self[id], seen.insert(id).inserted else { continue }
            waiting += snapshot.parents
        }
        return seen
    }

    /// Some snapshots and a few of what they came from, ever farther back: enough for a peer that doesn't know the newest to
    /// see where its own history meets ours.
    /// - Parameter limit: how many snapshots to look at, about; of more than are learned at once nobody looks for the beginning
    public func landmarks(
        of heads: some Sequence<SnapshotID>,
        limit: Int = Exchange.historyLimit
    ) -> [SnapshotID] {
        var (level, seen, marks, depth, next) = (Array(heads), Set(heads), [SnapshotID](), 0, 0)
        while !level.isEmpty, marks.count < SnapshotHead.maximumCount, seen.count < limit {
            if depth == next {
                marks += level
                next = max(1, next * 2)
            }
            level = level.flatMap { self[$0]?.parents ?? [] }.filter { self[$0] != nil && seen.insert($0).inserted }
            depth += 1
        }
        return Array(marks.prefix(SnapshotHead.maximumCount))
    }

    /// What to answer a peer that wants the way back from some snapshots: themselves and what they came from, breadth first,
    /// up to what the peer has already.
    /// - Parameters:
    ///   - request: what the peer wants to know
    ///   - limit: how many snapshots to answer with at the most
    /// - Returns: the snapshots; none where nothing of what was asked for is known here
    public func answer(
        to request: HistoryRequest,
        limit: Int = HistoryRequest.maximumAnswerCount
    ) -> [Snapshot] {
        guard request.wanted.contains(where: { self[$0] != nil }) else { return [] }
        let held = ancestors(of: request.known)
        var (snapshots, seen, place, byteCount) = ([Snapshot](), Set(request.wanted), 0, 0)
        var waiting = request.wanted
        while place < waiting.count, snapshots.count < limit, byteCount < HistoryRequest.maximumAnswerByteCount {
            defer { place += 1 }
            guard let snapshot = self[waiting[place]] else { continue }
            byteCount += snapshot.byteCount
            snapshots.append(snapshot)
            for parent in snapshot.parents where !held.contains(parent) && seen.insert(parent).inserted {
                waiting.append(parent)
            }
        }
        return snapshots
    }
}
