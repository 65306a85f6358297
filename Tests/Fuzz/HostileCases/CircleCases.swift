import SecureArchive

/// Objects that lead back to themselves: at once, in long rings, through collections and through fields of classes.
enum CircleCases {
    private static let changing = ["NSMutableArray", "NSMutableDictionary"]
    private static let all =
        changing + [
            "NSArray", "NSDictionary", "NSSet", "NSMutableSet", "NSOrderedSet", "NSMutableOrderedSet", "NSCountedSet",
            "NSURL", "Everything", "Archived", "Traveller", "NSMeasurement",
        ]

    /// Rings of mutable collections and of classes, which a program can write.
    static func makeOfClasses(_ dice: inout Dice) throws -> HostileCase {
        let isOfTravellers = dice.chance(of: 2)
        let name = isOfTravellers ? "Traveller" : dice.pick(["Everything", "Archived"])
        var made = try make(&dice, changing + [name], mayBeMissing: false)
        // The schema of the other readers has no such class.
        made.expected = isOfTravellers ? .any : .sound
        return made
    }

    static func make(_ dice: inout Dice) throws -> HostileCase {
        try make(&dice, dice.chance(of: 3) ? changing : all, mayBeMissing: true)
    }

    private static func make(_ dice: inout Dice, _ names: [String], mayBeMissing: Bool) throws -> HostileCase {
        var sketch = Sketch()
        let key = sketch.add(.string("next"))
        let count = dice.pick([1, 1, 2, 3, 5, 12, 40, 63, 64, 70, 200, 3_000])
        let nodes = (0..<count).map { _ in sketch.add(.null) }
        let isRing = dice.chance(of: 2)
        for (index, node) in nodes.enumerated() {
            var held = [nodes[(index + 1) % count]]
            if !isRing || dice.chance(of: 4) {
                for _ in 0...dice.below(3) { held.append(dice.pick(nodes)) }
            }
            if mayBeMissing, dice.chance(of: 9) { held.append(0) }
            fill(node, dice.pick(names), holding: held, key, in: &sketch)
        }
        if dice.chance(of: 20) {
            // Many objects that all contain the start of the circle.
            let many = (0..<2_000).map { _ in
                sketch.make("NSMutableArray", ["NS.objects": .array([.reference(nodes[0])])])
            }
            fill(nodes[0], "NSMutableArray", holding: many, key, in: &sketch)
        }
        return HostileCase(bytes: try sketch.archive(root: nodes[0], &dice))
    }

    private static func fill(
        _ node: UInt32,
        _ name: String,
        holding held: [UInt32],
        _ key: UInt32,
        in sketch: inout Sketch
    ) {
        let references = held.map { ArchiveValue.reference($0) }
        let fields: ArchiveFields
        switch name {
        case "NSDictionary", "NSMutableDictionary":
            let keys = held.indices.map { index in
                ArchiveValue.reference(index == 0 ? key : sketch.add(.string("key \(index)")))
            }
            fields = ["NS.keys": .array(keys), "NS.objects": .array(references)]
        case "NSOrderedSet", "NSMutableOrderedSet":
            var numbered: ArchiveFields = [:]
            for (index, reference) in references.enumerated() { numbered["NS.object.\(index)"] = reference }
            fields = numbered
        case "NSCountedSet":
            fields = ["NS.count": .integer(1), "NS.object0": references[0], "NS.count0": .integer(2)]
        case "NSURL": fields = ["NS.base": references[0], "NS.relative": .reference(key)]
        case "NSMeasurement": fields = ["NS.value": .real(.init(said: 1)), "NS.unit": references[0]]
        case "Everything", "Archived": fields = ["next": references[0]]
        case "Traveller": fields = ["companion": references[0], "inherited": references[references.count - 1]]
        default: fields = ["NS.objects": .array(references)]
        }
        sketch.make(name, fields, at: node)
    }
}
