import SecureArchive

/// Reals and dates that are infinite, NaN, or spelled in ways that are not read.
enum InfinityCases {
    private static let spelled = [
        "inf", "-inf", "+infinity", "-infinity", "nan", "NaN", "-nan", "nan(7)", "Infinity", "INF", "infinit", "1e999",
        "-1e999", "0x1p1024", "1e", "∞", "i", "+", "", " inf ", "in<!-- -->f", "&#105;nf",
    ]
    private static let values: [Double] = [
        .infinity, -.infinity, .nan, .signalingNaN, -.nan, -0.0, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 1e17,
        -1e17,
        -63_114_076_801, 252_423_993_600,
    ]

    static func make(_ dice: inout Dice) throws -> HostileCase {
        switch dice.below(5) {
        case 0: return HostileCase(bytes: list(&dice))
        case 1: return HostileCase(bytes: json(&dice))
        case 2: return HostileCase(bytes: patched(&dice))
        case 3: return HostileCase(bytes: try dates(&dice))
        default:
            let reals = (0..<dice.size(upTo: 20_000)).map { _ in ArchiveValue.real(.init(said: dice.pick(values))) }
            let tree: ArchiveValue = .dictionary(["hiscores": .array(reals), "x": reals[0]])
            return HostileCase(
                bytes: try dice.chance(of: 2) ? BinaryPropertyList.write(tree) : XMLPropertyList.write(tree)
            )
        }
    }

    private static func list(_ dice: inout Dice) -> [UInt8] {
        let reals = (0..<dice.size(upTo: 5_000)).map { _ in
            dice.chance(of: 5) ? "<date>\(dice.pick(spelled))</date>" : "<real>\(dice.pick(spelled))</real>"
        }
        return Array("<plist version=\"1.0\"><array>\(reals.joined())</array></plist>".utf8)
    }

    private static func json(_ dice: inout Dice) -> [UInt8] {
        let numbers = (0..<dice.size(upTo: 5_000)).map { _ in dice.pick(spelled + ["1e400", "-1e400", "1", "1E+2"]) }
        return Array("{\"score\": [\(numbers.joined(separator: ","))]}".utf8)
    }

    /// A binary list with reals and dates of every width that no writer has written.
    private static func patched(_ dice: inout Dice) -> [UInt8] {
        let value = dice.pick(values)
        let bits = value.bitPattern
        let real: [UInt8] =
            dice.chance(of: 3)
            ? [0x22] + big(UInt64(Float(value).bitPattern), 4)
            : [dice.pick([0x23, 0x33, 0x33])] + big(dice.chance(of: 4) ? dice.next() : bits, 8)
        let header = Array("bplist00".utf8)
        let trailer = [UInt8](repeating: 0, count: 6) + [1, 1] + big(1, 8) + big(0, 8) + big(UInt64(8 + real.count), 8)
        return header + real + [8] + trailer
    }

    private static func big(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> (8 * UInt64(count - 1 - $0))) }
    }

    private static func dates(_ dice: inout Dice) throws -> [UInt8] {
        var sketch = Sketch()
        let all = (0..<dice.size(upTo: 2_000)).map { _ in
            sketch.make("NSDate", ["NS.time": .real(.init(said: dice.pick(values)))])
        }
        let root = sketch.make("NSArray", ["NS.objects": .array(all.map { .reference($0) })])
        return try sketch.archive(root: root, &dice)
    }
}
