import Foundation
import SecureArchive
import SecureCoding
import TestSupport
import Testing

@Suite("Random trees")
struct RandomTreeTests {
    /// Types of Foundation's and of Swift's that decode themselves.
    static let types: [any (Decodable & Sendable).Type] = [
        IndexSet.self, IndexPath.self, DateInterval.self, DateComponents.self, CharacterSet.self, Decimal.self,
        URL.self,
        UUID.self, NSRange.self, CGRect.self, AffineTransform.self, Range<Int>.self, ClosedRange<UInt8>.self,
        [Int: [String?]].self, [UInt8: Double].self, Set<Float>.self, Data.self, Date.self, Weapon.self, Exchange.self,
        PersonNameComponents.self, Measurement<UnitLength>.self, URLComponents.self, Int128.self, Split.self,
        Locale.self, TimeZone.self, Calendar.self, CGPoint.self, CGSize.self, Locale.Language.self,
        Locale.Currency.self,
        Locale.Region.self, Locale.Components.self, Date.ISO8601FormatStyle.self, Calendar.RecurrenceRule.self,
    ]

    @Test("each type decodes or refuses any tree", arguments: 0..<8)
    func answers(part: Int) throws {
        var dice = SeededGenerator(seed: UInt64(part) + 100)
        var (refused, taken) = (0, 0)
        for _ in 0..<250 {
            let tree = tree(&dice, depth: 0)
            for type in Self.types {
                var decoder = ArchiveDecoder()
                decoder.unknownKeys = dice.below(2) == 0 ? .ignore : .refuse
                decoder.dates = [.native, .iso8601, .secondsSince1970][dice.below(3)]
                decoder.data = dice.below(2) == 0 ? .native : .base64
                do {
                    _ = try decoder.decode(type, from: tree)
                    taken += 1
                } catch is DecodingError {
                    refused += 1
                }
            }
        }
        #expect(refused > 500)
        #expect(taken > 20)
    }

    @Test("an encoded value that was changed at one place is decoded or refused", arguments: 0..<8)
    func mutants(part: Int) throws {
        var dice = SeededGenerator(seed: UInt64(part) + 200)
        let sound = try ArchiveEncoder().tree(of: Save.sample)
        for _ in 0..<300 {
            let tree = change(sound, &dice)
            if let save = try? ArchiveDecoder().decode(Save.self, from: tree) {
                _ = try ArchiveEncoder().tree(of: save)
            }
        }
    }

    /// Keys that the types above look for are among the others, so that random trees get far.
    private static let keys = [
        "indexes", "location", "length", "start", "duration", "bitmap", "mantissa", "exponent", "isNegative",
        "isCompact",
        "lowerBound", "upperBound", "value", "unit", "symbol", "converter", "coefficient", "relative", "year", "era",
        "calendar", "identifier", "locale", "timeZone", "firstWeekday", "minimumDaysInFirstWeek", "components",
        "interval", "end", "bow", "arrows", "isLong", "first", "second", "scheme", "port", "host", "path",
        "givenName",
    ]

    private func tree(_ dice: inout SeededGenerator, depth: Int) -> ArchiveValue {
        switch dice.below(depth > 4 ? 8 : 11) {
        case 0: return .null
        case 1: return .bool(dice.below(2) == 0)
        case 2: return .integer(ArchiveInteger([0, 1, -1, .max, .min, 255, 70_000][dice.below(7)]))
        case 3: return .integer(ArchiveInteger(UInt64.max))
        case 4: return ArchiveReal([0, -0.0, 1.5, 1e308, -1e-300][dice.below(5)]).map { .real($0) } ?? .null
        case 5: return .string(["", "x", "12.5", "%@%n", "2026-01-01T00:00:00Z", "AAAA", "\u{0}"][dice.below(7)])
        case 6: return .data(Array(repeating: 255, count: dice.below(40)))
        case 7: return ArchiveDate(secondsSince2001: Double(dice.below(1_000))).map { .date($0) } ?? .null
        case 8: return .array((0..<dice.below(5)).map { _ in tree(&dice, depth: depth + 1) })
        case 9: return .tagged("Tag", tree(&dice, depth: depth + 1))
        default:
            var fields = ArchiveFields()
            for _ in 0..<dice.below(8) {
                fields[Self.keys[dice.below(Self.keys.count)]] = tree(&dice, depth: depth + 1)
            }
            return .dictionary(fields)
        }
    }

    private func change(_ tree: ArchiveValue, _ dice: inout SeededGenerator) -> ArchiveValue {
        switch tree {
        case .array(var values) where !values.isEmpty && dice.below(4) > 0:
            let index = dice.below(values.count)
            values[index] = change(values[index], &dice)
            return .array(values)
        case .dictionary(var fields) where !fields.isEmpty && dice.below(4) > 0:
            let key = fields.keys[dice.below(fields.count)]
            fields[key] = change(fields[key] ?? .null, &dice)
            return .dictionary(fields)
        default: return self.tree(&dice, depth: 3)
        }
    }
}

extension SeededGenerator {
    /// A number from 0 to one less than the limit.
    mutating func below(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &self) }
}
