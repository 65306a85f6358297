/// The objects of a keyed archive that lead back to themselves, as a child does that refers to its parent, and their
/// place in the tree.
///
/// An object that is referred to more than once and leads to such a circle has a number in the tree. It is at its first
/// place; every other place has only its number. So the tree ends, and writing it gives the same graph.
struct KeyedCircles: Sendable {
    /// The place of an object in the tree.
    struct Home: Sendable {
        /// Counted from 1, in the order of the tree.
        let number: UInt32
        /// The object that contains it there; 0 for the top of the archive.
        let holder: UInt32
    }

    /// No circle anywhere.
    static let none = KeyedCircles()

    private var homes: [UInt32: Home] = [:]

    private init() {}

    /// The place of an object; nil for an object that is at every place that refers to it.
    func home(of number: UInt32) -> Home? {
        homes.isEmpty ? nil : homes[number]
    }

    /// True if the place of an object is in this holder. An object that refers to it twice has it the first time.
    func isHome(_ holder: UInt32, of number: UInt32) -> Bool {
        home(of: number)?.holder == holder
    }

    /// Walks once over everything reachable from the top, without recursion, in the order of the tree.
    ///
    /// - Parameter isFixed: true for a collection that was complete before anything could refer to it
    init(
        _ graph: KeyedGraph,
        from top: ArchiveFields,
        isFixed: (Int) -> Bool,
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) {
        let memory =
            graph.count * (2 * MemoryLayout<Mark>.stride + 2 * MemoryLayout<UInt32>.stride + 16)
        try budget.hold(memory: memory)
        defer { budget.giveBack(memory: memory) }
        var walk = Walk(graph)
        for case .reference(let number) in top.values { walk.visit(Int(number)) }
        // Many entries may refer to one object, so the walk alone does not show it.
        if let circle = Self.fixedCircle(in: graph, among: walk.entered, isFixed) {
            throw Self.refusal(circle)
        }
        for number in walk.entered
        where walk.marks[number].leadsToCircle && walk.marks[number].isNamedAgain {
            try budget.hold(memory: Self.memoryPerHome)
            let home = Home(number: UInt32(homes.count + 1), holder: walk.holders[number])
            homes[UInt32(number)] = home
        }
    }

    /// A table that is at most half full, of keys and homes.
    private static let memoryPerHome = 32

    private static func refusal(_ circle: (from: Int, to: Int)) -> ArchiveError {
        ArchiveError(.damaged, "collections that can't change contain each other")
            .inside([.key("$objects"), .index(circle.from)])
    }

    /// Finds a circle of collections that were complete before anything could refer to them. No program has written
    /// such a circle, and readers have crashed on it.
    private static func fixedCircle(
        in graph: KeyedGraph,
        among numbers: [Int],
        _ isFixed: (Int) -> Bool
    ) -> (from: Int, to: Int)? {
        var states = [Mark](repeating: Mark(), count: graph.count)
        for first in numbers where states[first].state == .untouched && isFixed(first) {
            var open = [(number: first, next: graph.edges(of: first).lowerBound)]
            states[first].state = .open
            while let (number, next) = open.last {
                guard next < graph.edges(of: number).upperBound else {
                    states[number].state = .done
                    open.removeLast()
                    continue
                }
                open[open.count - 1].next = next + 1
                let target = graph.target(of: next)
                guard isFixed(target) else { continue }
                switch states[target].state {
                case .untouched:
                    states[target].state = .open
                    open.append((target, graph.edges(of: target).lowerBound))
                case .open: return (number, target)
                case .done: break
                }
            }
        }
        return nil
    }

    private enum State: UInt8 {
        case untouched
        case open
        case done
    }

    private struct Mark {
        var state = State.untouched
        var leadsToCircle = false
        var isNamedAgain = false
    }

    private struct Walk {
        let graph: KeyedGraph
        var marks: [Mark]
        var holders: [UInt32]
        /// The objects that were reached, in the order of the tree.
        var entered: [Int] = []

        init(_ graph: KeyedGraph) {
            self.graph = graph
            marks = Array(repeating: Mark(), count: graph.count)
            holders = Array(repeating: 0, count: graph.count)
        }

        mutating func visit(_ first: Int) {
            guard enter(first, from: 0) else { return }
            var open = [(number: first, next: graph.edges(of: first).lowerBound)]
            while let (number, next) = open.last {
                guard next < graph.edges(of: number).upperBound else {
                    marks[number].state = .done
                    open.removeLast()
                    if marks[number].leadsToCircle, let holder = open.last?.number {
                        marks[holder].leadsToCircle = true
                    }
                    continue
                }
                open[open.count - 1].next = next + 1
                let target = graph.target(of: next)
                if enter(target, from: number) {
                    open.append((target, graph.edges(of: target).lowerBound))
                } else if marks[target].state == .open || marks[target].leadsToCircle {
                    marks[number].leadsToCircle = true
                }
            }
        }

        /// Enters an object; false if it was reached before.
        private mutating func enter(_ number: Int, from holder: Int) -> Bool {
            guard marks[number].state == .untouched else {
                marks[number].isNamedAgain = true
                return false
            }
            marks[number].state = .open
            holders[number] = UInt32(holder)
            entered.append(number)
            return true
        }
    }
}
