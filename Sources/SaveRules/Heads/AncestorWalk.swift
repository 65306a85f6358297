import Vocabulary

/// Walks back from some snapshots, and only as far as a question needs: those with the most in their versions first. What came later never
/// has less in its version than what it came from, so what has more than the one that is looked for is enough to know.
struct AncestorWalk {
    private let graph: SnapshotGraph
    private let budget: WalkBudget
    private var waiting = StepQueue()
    /// Those that were met with.
    private(set) var seen: Set<SnapshotID> = []
    /// The versions of those that came from something unknown.
    private(set) var farthest: Set<VersionVector> = []
    /// True if the budget was used up, so that an answer of no says nothing.
    private(set) var isCut = false

    init(of ids: some Sequence<SnapshotID>, in graph: SnapshotGraph, within budget: WalkBudget) {
        (self.graph, self.budget) = (graph, budget)
        for id in ids { meet(id) }
    }

    /// True if one of those that the walk began with is this snapshot or came from it.
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

/// Snapshots that a walk is still to go on from, those with the most in their versions first.
struct StepQueue {
    struct Step {
        let id: SnapshotID
        let weight: UInt64
        let parents: [SnapshotID]

        init(_ snapshot: Snapshot) { (id, weight, parents) = (snapshot.id, snapshot.version.weight, snapshot.parents) }
    }

    /// A heap: none has more than that at half its place.
    private(set) var steps: [Step] = []

    mutating func add(_ step: Step) {
        steps.append(step)
        var place = steps.count - 1
        while place > 0, steps[(place - 1) / 2].weight < steps[place].weight {
            steps.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    /// The one with the most, unless it has less than that.
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
    /// How much was done in all, as far as a number goes. What holds another version has no less.
    var weight: UInt64 {
        parts.reduce(0) { sum, part in
            let (more, isFar) = sum.addingReportingOverflow(part.counter)
            return isFar ? .max : more
        }
    }
}
