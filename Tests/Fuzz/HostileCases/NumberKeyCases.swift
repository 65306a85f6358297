import SecureArchive

/// Dictionaries with numbers as keys, and with keys that only look so.
enum NumberKeyCases {
    static func make(_ dice: inout Dice) throws -> HostileCase {
        var sketch = Sketch()
        let count = dice.size(upTo: 4_000)
        let keys = (0..<count).map { index in sketch.add(key(index, &dice)) }
        let values = keys.map { _ in dice.chance(of: 3) ? dice.pick(keys) : sketch.add(.integer(7)) }
        let fields: ArchiveFields = [
            "NS.keys": .array(keys.map { .reference($0) }), "NS.objects": .array(values.map { .reference($0) }),
        ]
        let root = sketch.make(dice.pick(["NSDictionary", "NSMutableDictionary"]), fields)
        return HostileCase(bytes: try sketch.archive(root: root, &dice))
    }

    private static func key(_ index: Int, _ dice: inout Dice) -> ArchiveValue {
        switch dice.below(9) {
        case 0: .string(NumberTexts.text(&dice, longest: 200))
        case 1: .real(ArchiveReal(said: Double(index)))
        case 2:
            .real(
                ArchiveReal(said: dice.pick([.infinity, -.infinity, .nan, -0.0, 0.1, 1e300, .leastNonzeroMagnitude]))
            )
        case 3: .bool(dice.chance(of: 2))
        case 4: .integer(dice.pick([ArchiveInteger(UInt64.max), ArchiveInteger(Int.min), ArchiveInteger(0)]))
        case 5: .string(String(index))
        default: .integer(ArchiveInteger(index))
        }
    }
}
