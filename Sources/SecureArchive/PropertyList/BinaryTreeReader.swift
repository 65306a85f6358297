/// Makes the tree of a binary property list, without recursion: unfinished collections are on a stack.
///
/// An object at several places is made once and shared. Every place counts its full size.
struct BinaryTreeReader {
    private let objects: BinaryObjects
    private(set) var budget: ReadingBudget
    /// By number: the progress of an object with several places. Other objects are made at their only place.
    private var progress: [UInt32]
    private var made: [Made] = []
    private var open: [OpenCollection] = []
    private var keyLists: BinaryKeyLists

    /// The value of ``progress`` beside the position in ``made``.
    private static let untouched = UInt32.max
    private static let isOpen = UInt32.max - 1

    /// A shared value, with its size and all that it contains.
    private struct Made {
        let value: ArchiveValue
        let values: Int
        let expandedBytes: Int
        /// The count of collections within each other there.
        let height: Int
    }

    private struct OpenCollection {
        let number: Int
        let keys: FieldKeys?
        /// The position of the numbers of the elements or values.
        let start: Int
        let count: Int
        /// The count before this collection.
        let before: (values: Int, bytes: Int)
        var height = 1
        var values: [ArchiveValue] = []

        /// The place of the next value.
        var nextStep: PathStep {
            guard let keys else { return .index(values.count) }
            // A full collection is asked for its step, too, if the error is about itself.
            return .key(values.count < count ? keys.strings.texts[values.count] : "")
        }
    }

    init(_ objects: BinaryObjects, drawingOn budget: ReadingBudget) {
        self.objects = objects
        self.budget = budget
        progress = []
        keyLists = BinaryKeyLists(objects)
    }

    mutating func read() throws(ArchiveError) -> ArchiveValue {
        try budget.hold(memory: objects.uses.count * MemoryLayout<UInt32>.stride)
        progress = Array(repeating: Self.untouched, count: objects.uses.count)
        do {
            return try readAll()
        } catch {
            throw error.inside(open.map(\.nextStep))
        }
    }

    private mutating func readAll() throws(ArchiveError) -> ArchiveValue {
        if let value = try begin(objects.root) { return value }
        while true {
            let top = open.count - 1
            if open[top].values.count < open[top].count {
                let number = objects.reference(at: open[top].start, open[top].values.count)
                if let value = try begin(number) { open[top].values.append(value) }
                continue
            }
            let (value, height) = try close()
            guard !open.isEmpty else { return value }
            open[top - 1].values.append(value)
            open[top - 1].height = max(open[top - 1].height, height + 1)
        }
    }

    /// The value of an object; nil if a collection was opened for it.
    private mutating func begin(_ number: Int) throws(ArchiveError) -> ArchiveValue? {
        let isShared = objects.uses[number] > 1
        if isShared {
            switch progress[number] {
            case Self.untouched: break
            case Self.isOpen:
                throw ArchiveError(.damaged, "a collection contains itself", offset: objects.offset(of: number))
            case let position: return try again(made[Int(position)])
            }
        }
        let before = (values: budget.values, bytes: budget.expandedBytes)
        try budget.take()
        let object = try objects.object(number)
        switch object {
        case .array(let start, let count):
            try begin(OpenCollection(number: number, keys: nil, start: start, count: count, before: before))
            return nil
        case .dictionary(let start, let count):
            let keys = try keyLists.keys(at: start, count: count, drawingOn: &budget)
            let values = start + count * objects.trailer.referenceSize
            try begin(OpenCollection(number: number, keys: keys, start: values, count: count, before: before))
            return nil
        default:
            let value = try objects.scalar(object, drawingOn: &budget)
            if isShared { try keep(value, of: number, countedFrom: before, height: 0) }
            return value
        }
    }

    private mutating func again(_ shared: Made) throws(ArchiveError) -> ArchiveValue {
        try budget.check(depth: open.count + shared.height)
        try budget.take(values: shared.values, bytes: shared.expandedBytes - shared.values * 8)
        if let top = open.indices.last { open[top].height = max(open[top].height, shared.height + 1) }
        return shared.value
    }

    private mutating func begin(_ collection: OpenCollection) throws(ArchiveError) {
        try budget.check(depth: open.count + 1)
        try budget.check(comingValues: collection.count)
        try budget.hold(elements: collection.count)
        if objects.uses[collection.number] > 1 { progress[collection.number] = Self.isOpen }
        open.append(collection)
        open[open.count - 1].values.reserveCapacity(collection.count)
    }

    private mutating func close() throws(ArchiveError) -> (value: ArchiveValue, height: Int) {
        let top = open.removeLast()
        let value: ArchiveValue =
            if let keys = top.keys { .dictionary(ArchiveFields(keys, values: top.values)) } else { .array(top.values) }
        if objects.uses[top.number] > 1 {
            try keep(value, of: top.number, countedFrom: top.before, height: top.height)
        }
        return (value, top.height)
    }

    private mutating func keep(
        _ value: ArchiveValue,
        of number: Int,
        countedFrom before: (values: Int, bytes: Int),
        height: Int
    ) throws(ArchiveError) {
        try budget.hold(memory: MemoryLayout<Made>.stride)
        progress[number] = UInt32(made.count)
        made.append(
            Made(
                value: value,
                values: budget.values - before.values,
                expandedBytes: budget.expandedBytes - before.bytes,
                height: height
            )
        )
    }
}
