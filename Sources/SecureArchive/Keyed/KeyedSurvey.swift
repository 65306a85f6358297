/// Walks once over the references of all objects of a keyed archive, without recursion, and checks that every number
/// exists and that the tree stays within the limits. An object that leads back to itself is counted at one place, see
/// ``KeyedCircles``.
struct KeyedSurvey {
    private let objects: [ArchiveValue]
    private(set) var graph: KeyedGraph
    private let circles: KeyedCircles
    /// By number: the size of an object alone, and later with everything it refers to.
    private var measures: [Measure]

    private struct Measure {
        var bytes = 0
        var values: UInt32 = 0
        /// The count of objects within each other, with this one; 0 for texts and numbers.
        var height: UInt8 = 0
        var state = State.untouched

        /// Adds the size of another object with everything it refers to; false if the sum exceeds the limits.
        mutating func add(_ other: Measure, limits: ArchiveLimits) -> Bool {
            let (values, tooMany) = values.addingReportingOverflow(other.values)
            let (bytes, tooLarge) = bytes.addingReportingOverflow(other.bytes)
            guard !tooMany, !tooLarge, values <= limits.values else { return false }
            (self.values, self.bytes) = (values, bytes)
            height = max(height, other.height + 1)
            return bytes <= limits.expandedBytes - Int(values) * 8
        }
    }

    private enum State: UInt8 {
        case untouched
        case open
        case done
    }

    init(
        _ objects: [ArchiveValue],
        cutting circles: KeyedCircles = .none,
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) {
        self.objects = objects
        self.circles = circles
        graph = KeyedGraph(reserving: objects.count)
        try budget.hold(memory: objects.count * (MemoryLayout<Measure>.stride + MemoryLayout<UInt32>.stride))
        measures = Array(repeating: Measure(), count: objects.count)
        for number in objects.indices {
            do {
                try count(objects[number], of: number, depth: 1)
            } catch {
                throw error.inside([.key("$objects"), .index(number)])
            }
            guard graph.endObject() else { throw Self.tooLarge }
        }
        try budget.hold(memory: graph.edgeCount * MemoryLayout<UInt32>.stride)
    }

    /// Counts the parts of an object itself. A referred object counts separately.
    private mutating func count(_ value: ArchiveValue, of number: Int, depth: Int) throws(ArchiveError) {
        guard depth <= ArchiveLimits.deepest else { throw ArchiveError(.tooLarge, "it is nested too deeply") }
        switch value {
        case .reference(let target):
            guard Int(target) < objects.count else {
                throw ArchiveError(.damaged, "object \(target) does not exist")
            }
            graph.add(target)
            return
        case .array(let elements):
            for (position, element) in elements.enumerated() {
                do { try count(element, of: number, depth: depth + 1) } catch { throw error.inside(.index(position)) }
            }
        case .dictionary(let fields):
            try count(fields, of: number, depth: depth)
        case .string(let text): measures[number].bytes += text.utf8.count
        case .data(let data): measures[number].bytes += data.count
        case .null, .bool, .integer, .real, .date, .tagged: break
        }
        try add(values: 1, to: number)
    }

    private mutating func add(values: UInt32, to number: Int) throws(ArchiveError) {
        guard measures[number].values <= .max - values else { throw Self.tooLarge }
        measures[number].values += values
    }

    private static var tooLarge: ArchiveError {
        ArchiveError(.tooLarge, "it would be larger than allowed if it were written out")
    }

    private mutating func count(_ fields: ArchiveFields, of number: Int, depth: Int) throws(ArchiveError) {
        if let order = KeyedGraph.order(ofSet: fields) {
            for position in order { try count(fields[position], of: number, depth: depth) }
        } else {
            for field in fields { try count(field, of: number, depth: depth) }
        }
        measures[number].height = 1
    }

    private mutating func count(
        _ field: (key: String, value: ArchiveValue),
        of number: Int,
        depth: Int
    ) throws(ArchiveError) {
        // Definitions are not values: they have no depth and are not repeated at each reference.
        guard field.key != "$class" else { return }
        try add(values: 1, to: number)
        measures[number].bytes += field.key.utf8.count
        do { try count(field.value, of: number, depth: depth + 1) } catch {
            throw error.inside(.key(field.key))
        }
    }

    /// The reachable objects, each behind all that it contains; nil if one leads back to itself and its place is not
    /// known yet.
    mutating func order(
        from top: ArchiveFields,
        drawingOn budget: inout ReadingBudget
    ) throws(ArchiveError) -> [UInt32]? {
        var total = try ReadingBudget(budget.limits, archiveBytes: 0)
        var order: [UInt32] = []
        order.reserveCapacity(objects.count)
        try budget.hold(memory: objects.count * MemoryLayout<UInt32>.stride)
        for (key, value) in top {
            let place: [PathStep] = [.key("$top"), .key(key)]
            guard case .reference(let number) = value else {
                do { try Self.checkPlain(value, key: key) } catch { throw error.inside(place) }
                continue
            }
            guard Int(number) < objects.count else {
                throw ArchiveError(.damaged, "object \(number) does not exist").inside(place)
            }
            if circles.home(of: number) != nil, measures[Int(number)].state == .done {
                try total.take()
                continue
            }
            guard try visit(number, limits: budget.limits, order: &order) else { return nil }
            let measure = measures[Int(number)]
            try total.take(values: Int(measure.values), bytes: measure.bytes)
        }
        return order
    }

    private static func checkPlain(_ value: ArchiveValue, key: String) throws(ArchiveError) {
        switch value {
        case .bool, .integer, .real, .string, .data, .date:
            if key == "root" { throw ArchiveError(.damaged, "it names no object") }
        default: throw ArchiveError(.damaged, "it is neither the number of an object nor a plain value")
        }
    }

    /// Visits everything reachable from an object and adds up the sizes on the way back. False if that leads back to an
    /// object on the way.
    private mutating func visit(
        _ first: UInt32,
        limits: ArchiveLimits,
        order: inout [UInt32]
    ) throws(ArchiveError) -> Bool {
        guard measures[Int(first)].state == .untouched else { return true }
        var open = [(number: Int(first), next: graph.edges(of: Int(first)).lowerBound)]
        measures[Int(first)].state = .open
        while let (number, next) = open.last {
            guard next < graph.edges(of: number).upperBound else {
                measures[number].state = .done
                if measures[number].height > 0 { order.append(UInt32(number)) }
                open.removeLast()
                continue
            }
            let target = graph.target(of: next)
            if isOnlyNamed(target, by: number) {
                guard measures[number].add(Measure(values: 1), limits: limits) else {
                    throw error(.tooLarge, Self.tooLarge.detail, from: number, to: target)
                }
                open[open.count - 1].next = next + 1
                continue
            }
            switch measures[target].state {
            case .untouched where measures[target].height == 0: measures[target].state = .done
            case .untouched:
                guard open.count < limits.depthInForce else {
                    let detail = "it is nested more than \(limits.depthInForce) deep"
                    throw error(.tooLarge, detail, from: number, to: target)
                }
                measures[target].state = .open
                open.append((target, graph.edges(of: target).lowerBound))
            case .open: return false
            case .done:
                // An object that was counted elsewhere may be too deep here.
                let isTooDeep = open.count + Int(measures[target].height) > limits.depthInForce
                guard !isTooDeep, measures[number].add(measures[target], limits: limits) else {
                    let detail = isTooDeep ? "it is nested more than \(limits.depthInForce) deep" : Self.tooLarge.detail
                    throw error(.tooLarge, detail, from: number, to: target)
                }
                open[open.count - 1].next = next + 1
            }
        }
        return true
    }

    /// True if the place of an object is elsewhere.
    private func isOnlyNamed(_ target: Int, by number: Int) -> Bool {
        guard circles.home(of: UInt32(target)) != nil else { return false }
        return !circles.isHome(UInt32(number), of: UInt32(target))
            || measures[target].state != .untouched
    }

    private func error(_ kind: ArchiveError.Kind, _ detail: String, from number: Int, to target: Int) -> ArchiveError {
        let way = objects[number].way(to: UInt32(target)) ?? []
        return ArchiveError(kind, detail).inside([.key("$objects"), .index(number)] + way)
    }
}
