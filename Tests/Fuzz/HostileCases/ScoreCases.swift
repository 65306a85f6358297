import Database
import GameState

/// Databases with texts as scores, of which some are numbers.
enum ScoreCases {
    static func make(_ dice: inout Dice) throws -> HostileCase {
        let database = try Database<StateError>(at: ":memory:")
        switch dice.below(4) {
        case 0: try database.execute("CREATE TABLE hiscores (name TEXT, score TEXT)")
        case 1: try database.execute("CREATE TABLE hiscores (name, score)")
        case 2: try database.execute("CREATE TABLE hiscores (name TEXT COLLATE NOCASE UNIQUE, score NUMERIC)")
        default: try database.execute("PRAGMA encoding = 'UTF-16be'; CREATE TABLE hiscores (name TEXT, score BLOB)")
        }
        let count = dice.size(upTo: 2_000)
        for index in 0..<count {
            let name: SQLValue = dice.chance(of: 10) ? score(&dice, among: count) : .text("player \(index)")
            try? database.run("INSERT INTO hiscores (name, score) VALUES (?, ?)", name, score(&dice, among: count))
        }
        var bytes = try database.image()
        if dice.chance(of: 6), bytes.count > 200 {
            for _ in 0...dice.below(4) { bytes[100 + dice.below(bytes.count - 100)] = dice.byte() }
        }
        return HostileCase(bytes: bytes)
    }

    private static func score(_ dice: inout Dice, among count: Int) -> SQLValue {
        switch dice.below(8) {
        case 0: .integer(dice.pick([0, -1, .max, .min]))
        case 1: .real(dice.pick([0.5, -0.0, .infinity, 1e300]))
        case 2: .bytes(dice.bytes(dice.below(20)))
        case 3: .null
        default: .text(NumberTexts.text(&dice, longest: max(64, (1 << 20) / count)))
        }
    }
}
