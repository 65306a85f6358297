import Vocabulary

/// A walk back from some versions, the largest version vectors first, only as far as a question needs. A version never
/// has a smaller vector than its ancestors. So the walk may ignore versions that have less than the one it searches
/// for.
struct AncestorWalk {
    private let graph: SnapshotGraph
    private let budget: WalkBudget
    private var waiting = StepQueue()
    /// The versions that the walk has met.
    private(set) var seen: Set<SnapshotID> = []
    /// The vectors of the met versions whose parents are not all known.
    private(set) var farthest: Set<VersionVector> = []
    /// True if the budget is used up. Then a version that was not reached may still be an ancestor.
    private(set) var isCut = false

    init(of ids: some Sequence<SnapshotID>, in graph: SnapshotGraph, within budget: WalkBudget) {
        (self.graph, self.budget) = (graph, budget)
        for id in ids { meet(id) }
    }

    /// True if a version is one of those where the walk began, or an ancestor of one.
    mutating func reaches(_ snapshot: Snapshot) -> Bool {
        let weight = snapshot.version.weight
        while !seen.contains(snapshot.id), !isCut, let next = waiting.popFirst(atLeast: weight) {
            for parent in next.parents { meet(parent) }
        }
        return seen.contains(snapshot.id)
    }

    private mutating func meet(_ id: SnapshotID) {
        guard seen.insert(id).inserted, let snapshot = graph[id] else { return }
        guard budget.take() else { return isCut = true }
        if snapshot.parents.contains(where: { graph[$0] == nil }) { farthest.insert(snapshot.version) }
        waiting.add(StepQueue.Step(snapshot))
    }
}

/// The versions from which a walk still must go on, the largest vectors first.
struct StepQueue {
    struct Step {
        let id: SnapshotID
        let weight: UInt64
        let parents: [SnapshotID]

        init(_ snapshot: Snapshot) { (id, weight, parents) = (snapshot.id, snapshot.version.weight, snapshot.parents) }
    }

    /// A binary heap: no step is heavier than its parent.
    private(set) var steps: [Step] = []

    mutating func add(_ step: Step) {
        steps.append(step)
        var place = steps.count - 1
        while place > 0, steps[(place - 1) / 2].weight < steps[place].weight {
            steps.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// Removes and returns the heaviest step; nil if it is lighter than the given weight.
    mutating func popFirst(atLeast weight: UInt64 = 0) -> Step? {
        guard let first = steps.first, first.weight >= weight else { return nil }
        steps.swapAt(0, steps.count - 1)
        steps.removeLast()
        var place = 0
        while true {
            let children = (2 * place + 1..<2 * place + 3).filter { $0 < steps.count }
            guard let heavier = children.max(by: { steps[$0].weight < steps[$1].weight }),
                steps[heavier].weight > steps[place].weight
            else { return first }
            steps.swapAt(place, heavier)
            place = heavier
        }
    }
}

extension VersionVector {
    /// The number of all changes, or the largest number if they are more. A version that includes another weighs no
    /// less.
    var weight: UInt64 {
        parts.reduce(0) { sum, part in
            let (more, isFar) = sum.addingReportingOverflow(part.counter)
            return isFar ? .max : more
        }
    }
}
