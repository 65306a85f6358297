/// Which objects of a keyed archive each of them names, in the order of the tree.
struct KeyedGraph: Sendable {
    /// What the object of a number names stands in ``targets`` from its start to the next one's.
    private var starts: [UInt32] = [0]
    private var targets: [UInt32] = []

    init(reserving count: Int) {
        starts.reserveCapacity(count + 1)
    }

    /// How many objects were added.
    var count: Int { starts.count - 1 }
    /// How many places name an object.
    var edgeCount: Int { targets.count }

    /// One more that the object names which is being added.
    mutating func add(_ target: UInt32) {
        targets.append(target)
    }

    /// Ends the object that is being added; false where there are more places than can be numbered.
    mutating func endObject() -> Bool {
        guard let start = UInt32(exactly: targets.count) else { return false }
        starts.append(start)
        return true
    }

    func edges(of number: Int) -> Range<Int> {
        Int(starts[number])..<Int(starts[number + 1])
    }

    func target(of edge: Int) -> Int {
        Int(targets[edge])
    }

    /// The positions of an ordered set's fields by their numbers, as a tree has the elements,
    /// wherever the archive has them; nil for every other object.
    static func order(ofSet fields: ArchiveFields) -> [Int]? {
        guard var position = fields.position(of: "NS.object.0") else { return nil }
        var order: [Int] = []
        while order.count < fields.count {
            order.append(position)
            guard let next = fields.position(of: "NS.object.\(order.count)") else { break }
            position = next
        }
        return order + Set(fields.indices).subtracting(order).sorted()
    }
}
