import SecureArchive
import TestSupport

/// Random trees with all kinds of values of a keyed archive; the same for the same seed.
struct RandomValue {
    private var dice: SeededGenerator

    init(seed: UInt64) {
        dice = SeededGenerator(seed: seed)
    }

    mutating func value(depth: Int = 4) -> ArchiveValue {
        switch Int.random(in: 0..<(depth > 0 ? 13 : 7), using: &dice) {
        case 0: .bool(.random(using: &dice))
        case 1: .integer(integer())
        case 2: real()
        case 3: .data((0..<Int.random(in: 0..<40, using: &dice)).map { UInt8(truncatingIfNeeded: $0 &* 37) })
        case 4: date()
        case 5, 6: .string(text())
        case 7: .array(values(depth: depth))
        case 8, 9: .dictionary(fields(depth: depth))
        case 10: .tagged("NSMutableArray", .array(values(depth: depth)))
        case 11: .tagged("NSMutableDictionary", .dictionary(fields(depth: depth)))
        default: other(depth: depth)
        }
    }

    mutating func text() -> String {
        let texts = [
            "", "a", "$null", "root", "caf\u{E9}", "cafe\u{301}", "漢字", "😀", "\u{0}",
            "a text of more than fifteen bytes",
        ]
        return texts[Int.random(in: 0..<texts.count, using: &dice)] + String(Int.random(in: 0..<5, using: &dice))
    }

    private mutating func other(depth: Int) -> ArchiveValue {
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: .null
        case 1: .tagged("NSUUID", .string("71DC068E-3420-45FF-919E-3A267D55EC22"))
        case 2: .tagged("NSURL", .dictionary(["base": .string(text()), "relative": .string(text())]))
        case 3: .tagged("NSMutableString", .string(text()))
        case 4: .tagged("NSOrderedSet", .array([.string("a"), .array(values(depth: depth)), .integer(1), .real(1)]))
        default: .tagged("NSSet", .array([.bool(true), .integer(1), .dictionary(fields(depth: depth))]))
        }
    }

    private mutating func integer() -> ArchiveInteger {
        switch Int.random(in: 0..<4, using: &dice) {
        case 0: ArchiveInteger(Int.random(in: -3...300, using: &dice))
        case 1: ArchiveInteger(Int.random(in: .min ... .max, using: &dice))
        case 2: ArchiveInteger(UInt64.random(in: .min ... .max, using: &dice))
        default: ArchiveInteger(1 << Int.random(in: 0..<63, using: &dice))
        }
    }

    /// A real of any bits that is finite.
    private mutating func real() -> ArchiveValue {
        ArchiveReal(Double(bitPattern: dice.next())).map { .real($0) } ?? .null
    }

    private mutating func date() -> ArchiveValue {
        let seconds = Double.random(in: -63_114_076_800..<252_423_993_600, using: &dice)
        return ArchiveDate(secondsSince2001: seconds).map { .date($0) } ?? .null
    }

    private mutating func values(depth: Int) -> [ArchiveValue] {
        var values: [ArchiveValue] = []
        for _ in 0..<Int.random(in: 0..<5, using: &dice) { values.append(value(depth: depth - 1)) }
        return values
    }

    private mutating func fields(depth: Int) -> ArchiveFields {
        var fields = ArchiveFields()
        for _ in 0..<Int.random(in: 0..<20, using: &dice) { fields[text()] = value(depth: depth - 1) }
        return fields
    }
}
