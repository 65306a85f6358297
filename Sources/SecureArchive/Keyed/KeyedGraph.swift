/// The references of each object of a keyed archive, in the order of the tree.
struct KeyedGraph: Sendable {
    /// The references of an object are in ``targets``, from its start to the start of the next object.
    private var starts: [UInt32] = [0]
    private var targets: [UInt32] = []

    init(reserving count: Int) {
        starts.reserveCapacity(count + 1)
    }

    /// The count of added objects.
    var count: Int { starts.count - 1 }
    /// The count of references.
    var edgeCount: Int { targets.count }

    /// Adds a reference to the current object.
    mutating func add(_ target: UInt32) {
        targets.append(target)
    }

    /// Ends the current object; false if there are more references than can be numbered.
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

    /// The positions of an ordered set's fields in the order of their numbers; nil for every other object.
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
