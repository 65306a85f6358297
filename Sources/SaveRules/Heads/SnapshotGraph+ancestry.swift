extension SnapshotGraph {
    /// The newest snapshots that two have in common, by ascending name. For a merge of three, the one where there is one.
    ///
    /// If that takes more reading than is allowed, the answer is the two themselves: their common versions are not known, which is not the same as none.
    public func commonAncestors(of one: SnapshotID, _ other: SnapshotID) -> [SnapshotID] {
        var (sides, common, waiting) = ([SnapshotID: Sides](), Set<SnapshotID>(), StepQueue())
        func mark(_ id: SnapshotID, _ more: Sides) {
            let before = sides[id, default: []]
            guard !before.isSuperset(of: more), let snapshot = self[id] else { return }
            sides[id] = before.union(more)
            waiting.add(StepQueue.Step(snapshot))
        }
        mark(one, .one)
        mark(other, .other)
        let budget = WalkBudget()
        // Below what is inner all is inner.
        while waiting.steps.contains(where: { sides[$0.id]?.contains(.inner) == false }), let next = waiting.popFirst()
        {
            guard budget.take() else { return [one, other].sorted() }
            var reached = sides[next.id, default: []]
            if reached.isSuperset(of: [.one, .other]) {
                common.insert(next.id)
                // Only what no other common one came from.
                reached.insert(.inner)
            }
            for parent in next.parents { mark(parent, reached) }
        }
        return heads(among: common.filter { sides[$0]?.contains(.inner) == false })
    }

    /// From which of two a snapshot can be reached, and whether also from something that both have.
    private struct Sides: OptionSet {
        let rawValue: UInt8
        static let one = Sides(rawValue: 1)
        static let other = Sides(rawValue: 2)
        static let inner = Sides(rawValue: 4)
    }

    /// Some snapshots and a few of what they came from, ever farther back: enough for a peer that doesn't know the newest to
    /// see where its own history meets ours.
    /// - Parameter limit: how many snapshots to look at, about: each is read. Where a peer goes farther apart it answers with more than is new
    public func landmarks(of heads: some Sequence<SnapshotID>, limit: Int = 1_024) -> [SnapshotID] {
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

    /// The answer to a peer that wants the way back from some snapshots: themselves and their ancestors, breadth first,
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
        // Where that is farther back than may be read, the peer hears once more what it knows.
        var held = AncestorWalk(of: request.known, in: self, within: WalkBudget())
        var (snapshots, seen, place, byteCount) = ([Snapshot](), Set(request.wanted), 0, 0)
        var waiting = request.wanted
        while place < waiting.count, snapshots.count < limit, byteCount < HistoryRequest.maximumAnswerByteCount {
            defer { place += 1 }
            guard let snapshot = self[waiting[place]] else { continue }
            byteCount += snapshot.byteCount
            snapshots.append(snapshot)
            for parent in snapshot.parents where seen.insert(parent).inserted {
                guard let known = self[parent], !held.reaches(known) else { continue }
                waiting.append(parent)
            }
        }
        return snapshots
    }
}
