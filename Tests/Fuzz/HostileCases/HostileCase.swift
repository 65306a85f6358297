/// A file that an attacker may send, made from a seed and a number. The same two give the same bytes.
struct HostileCase {
    /// The required outcome of a case.
    enum Expected {
        case any
        /// The file is read, or too large; never damaged.
        case sound
        case refused
    }

    var bytes: [UInt8]
    /// The log beside a database.
    var log: [UInt8] = []
    var expected = Expected.any

    /// The kinds of cases, in turn.
    static let families: [(name: String, make: @Sendable (inout Dice) throws -> HostileCase)] = [
        ("encoding", EncodingCases.make), ("number-keys", NumberKeyCases.make), ("infinity", InfinityCases.make),
        ("circle", CircleCases.make), ("composed", ComposedCases.make), ("scores", ScoreCases.make),
        ("number-text", NumberTextCases.make), ("circle-classes", CircleCases.makeOfClasses),
    ]

    static func family(of number: Int) -> String { families[number % families.count].name }

    static func make(seed: UInt64, number: Int) throws -> HostileCase {
        var dice = Dice(seed: seed &* 0x9E37_79B9 &+ UInt64(number))
        var made = try families[number % families.count].make(&dice)
        // Every fifth is also damaged, behind the first bytes, which show the format.
        if dice.chance(of: 5), made.bytes.count > 16 {
            for _ in 0...dice.below(3) { made.bytes[8 + dice.below(made.bytes.count - 8)] = dice.byte() }
            made.expected = .any
        }
        return made
    }
}
