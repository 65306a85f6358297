import SecureArchive

/// Foundation's values of several fields: with fields of other types, huge counts, ranges and mantissas.
enum ComposedCases {
    private static let classes: [(name: String, keys: [String])] = [
        (
            "NSValue",
            [
                "NS.special", "NS.pointval", "NS.sizeval", "NS.rectval", "NS.rangeval.location",
                "NS.rangeval.length",
            ]
        ),
        ("NSIndexSet", ["NSRangeCount", "NSLocation", "NSLength", "NSRangeData"]),
        ("NSMutableIndexSet", ["NSRangeCount", "NSLocation", "NSLength", "NSRangeData"]),
        ("NSIndexPath", ["NSIndexPathLength", "NSIndexPathValue", "NSIndexPathData"]),
        (
            "NSDecimalNumber",
            ["NS.exponent", "NS.length", "NS.negative", "NS.compact", "NS.mantissa.bo", "NS.mantissa"]
        ),
        ("NSCountedSet", ["NS.count", "NS.object0", "NS.count0", "NS.object1", "NS.count1"]),
        ("NSMeasurement", ["NS.value", "NS.unit"]),
        ("NSUnitLength", ["NS.symbol", "NS.converter", "NS.specifier"]), ("NSUnit", ["NS.symbol", "NS.specifier"]),
        ("NSUnitConverterLinear", ["NS.coefficient", "NS.constant"]), ("NSUUID", ["uuid", "NS.uuidbytes"]),
    ]
    private static let integers: [Int] = [
        0, 1, 2, 3, 4, 5, 8, 9, 16, 255, -1, -128, 127, 128, 1 << 20, 1 << 31, 1 << 32, 1 << 59, 1 << 60, .max, .min,
    ]
    private static let texts = [
        "{1, 2}", "{{0, 0}, {480, 320}}", "{nan, 1}", "{1e999, 0}", "{1}", "{,}", "{}", "", "1, 2", "{{{{1,2}}}}",
        "{1, 2",
        "{0x10, 1}", "{1,2,3,4}", "km", "%n%s", "{1\u{0}, 2}",
    ]

    static func make(_ dice: inout Dice) throws -> HostileCase {
        var sketch = Sketch()
        let all = (0..<dice.size(upTo: 300)).map { _ in object(&sketch, &dice, depth: 0) }
        let root =
            dice.chance(of: 2) ? all[0] : sketch.make("NSArray", ["NS.objects": .array(all.map { .reference($0) })])
        return HostileCase(bytes: try sketch.archive(root: root, &dice))
    }

    private static func object(_ sketch: inout Sketch, _ dice: inout Dice, depth: Int) -> UInt32 {
        let (name, keys) = dice.pick(classes)
        if name == "NSCountedSet", dice.chance(of: 3) { return large(&sketch, &dice) }
        var fields: ArchiveFields = [:]
        for key in keys where !dice.chance(of: 4) { fields[key] = value(key, &sketch, &dice, depth: depth) }
        if dice.chance(of: 8) { fields["NS.more"] = .integer(1) }
        return sketch.make(name, fields)
    }

    /// Elements that are missing, or whose counts exceed the limit together.
    private static func large(_ sketch: inout Sketch, _ dice: inout Dice) -> UInt32 {
        let count = dice.size(upTo: 3_000)
        var fields: ArchiveFields = ["NS.count": .integer(ArchiveInteger(dice.chance(of: 4) ? count + 1 : count))]
        let coin = sketch.add(.string("coin"))
        for index in 0..<count {
            fields["NS.object\(index)"] = .reference(dice.chance(of: 3) ? sketch.add(.integer(.init(index))) : coin)
            fields["NS.count\(index)"] = .integer(ArchiveInteger(dice.chance(of: 9) ? dice.pick(integers) : 1))
        }
        return sketch.make("NSCountedSet", fields)
    }

    private static func value(
        _ key: String,
        _ sketch: inout Sketch,
        _ dice: inout Dice,
        depth: Int
    ) -> ArchiveValue {
        switch dice.below(14) {
        case 0: return .real(ArchiveReal(said: dice.pick([1.5, .infinity, .nan, 1e300])))
        case 1: return .bool(dice.chance(of: 2))
        case 2: return .string(dice.pick(texts))
        case 3, 4: return .reference(sketch.add(.string(dice.pick(texts))))
        case 5: return .reference(sketch.add(.data(dice.bytes(dice.size(upTo: 20_000)))))
        case 6: return .data(dice.bytes(dice.pick([0, 1, 15, 16, 17, 32])))
        case 7: return .reference(sketch.add(.integer(ArchiveInteger(dice.pick(integers)))))
        case 8: return .reference(0)
        case 9 where depth < 4: return .reference(object(&sketch, &dice, depth: depth + 1))
        case 10: return .data(Array(repeating: 1, count: 16))
        default: return .integer(ArchiveInteger(dice.chance(of: 3) ? dice.pick(integers) : dice.below(5)))
        }
    }
}
