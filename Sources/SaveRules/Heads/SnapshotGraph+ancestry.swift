extension SnapshotGraph {
    /// Returns the newest common ancestors of two versions, by ascending id. If there is one, it is the base of a
    /// three-way merge.
    ///
    /// Returns the two versions themselves if the search takes more reading than allowed. Then their common ancestors
    /// are unknown, which is not the same as none.
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
        // All ancestors of an inner version are inner, so the search ends when only inner versions wait.
        while waiting.steps.contains(where: { sides[$0.id]?.contains(.inner) == false }), let next = waiting.popFirst()
        {
            guard budget.take() else { return [one, other].sorted() }
            var reached = sides[next.id, default: []]
            if reached.isSuperset(of: [.one, .other]) {
                common.insert(next.id)
                // Its ancestors are no newest common ancestors.
                reached.insert(.inner)
            }
            for parent in next.parents { mark(parent, reached) }
        }
        return heads(among: common.filter { sides[$0]?.contains(.inner) == false })
    }

    /// The relation of a version to the two: an ancestor of one, of the other, or of a common ancestor (inner).
    private struct Sides: OptionSet {
        let rawValue: UInt8
        static let one = Sides(rawValue: 1)
        static let other = Sides(rawValue: 2)
        static let inner = Sides(rawValue: 4)
    }

    /// Returns some versions and a few of their ancestors at growing distances. With them, a peer that does not know
    /// the newest versions can find out where its own history meets ours.
    /// - Parameter limit: the approximate number of versions to read. If the histories part farther back, the peer
    ///   answers with more than is new.
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

    /// Returns the answer to a peer's request: the requested versions and their ancestors, breadth first, without those
    /// that the peer has already.
    /// - Parameters:
    ///   - request: the peer's request
    ///   - limit: the largest number of versions in the answer
    /// - Returns: the versions; empty if no requested version is known here
    public func answer(
        to request: HistoryRequest,
        limit: Int = HistoryRequest.maximumAnswerCount
    ) -> [Snapshot] {
        guard request.wanted.contains(where: { self[$0] != nil }) else { return [] }
        // If the walk is cut off by its budget, the peer receives versions that it knows already.
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
