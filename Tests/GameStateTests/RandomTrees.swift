import GameState
import SecureArchive
import TestSupport

/// Trees of a save that different machines have changed; the same ones for the same seed.
struct RandomTrees {
    private var chance: SeededGenerator

    init(seed: UInt64) {
        chance = SeededGenerator(seed: seed)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &chance) }

    /// Any tree.
    mutating func tree(depth: Int = 4) -> ArchiveValue {
        switch number(0...(depth > 0 ? 11 : 7)) {
        case 0: return .null
        case 1: return .bool(.random(using: &chance))
        case 2: return whole(number(-3...3))
        case 3: return real(Double(number(-4...4)) / 2)
        case 4: return .string(["a", "b", "ä", ""][number(0...3)])
        case 5: return .data([UInt8(number(0...2))])
        case 6: return date(Double(number(0...3)))
        case 7: return .tagged("NSUUID", .string("x"))
        case 8, 9: return .array((0..<number(0...3)).map { _ in tree(depth: depth - 1) })
        default:
            var fields = ArchiveFields()
            for _ in 0..<number(0...4) { fields["k\(number(0...4))"] = tree(depth: depth - 1) }
            return .dictionary(fields)
        }
    }

    /// The tree with random changes.
    mutating func changed(_ value: ArchiveValue) -> ArchiveValue {
        switch value {
        case _ where number(0...5) == 0: return tree(depth: 2)
        case .array(let elements): return .array(elements.map { changed($0) })
        case .dictionary(let fields):
            var new = ArchiveFields()
            for (key, value) in fields where number(0...9) > 0 {
                new[key] = number(0...2) == 0 ? changed(value) : value
            }
            if number(0...3) == 0 { new["k\(number(0...4))"] = tree(depth: 1) }
            return .dictionary(new)
        default: return value
        }
    }

    /// A save of the form that the rules of ``MergeTests/joins`` are for.
    mutating func save() -> GameState {
        var fields: ArchiveFields = [:]
        if number(0...4) > 0 {
            fields["best"] = number(0...1) == 0 ? whole(number(0...4)) : real(Double(number(0...8)) / 2)
        }
        if number(0...4) > 0 { fields["fastest"] = whole(number(0...4)) }
        if number(0...4) > 0 { fields["played"] = date(Double(number(0...4))) }
        if number(0...4) > 0 { fields["saved"] = .string("2026-01-0\(number(1...4))") }
        fields["stats"] = .dictionary(["kills": whole(number(0...4)), "open": .bool(.random(using: &chance))])
        fields["tags"] = .array((0..<number(0...4)).map { _ in .string("t\(number(0...3))") })
        fields["scores"] = .array(
            (0..<number(0...5)).map { _ in
                .dictionary(["name": .string("n\(number(0...3))"), "score": whole(number(0...4))])
            }
        )
        fields["rooms"] = .array((0..<2).map { _ in whole(number(0...3)) })
        return GameState(fields)
    }
}
