import SecureArchive

/// Saves of known games and others with texts in place of numbers.
enum NumberTextCases {
    static func make(_ dice: inout Dice) throws -> HostileCase {
        let tree = dice.pick([scores, character, people, plain])(&dice)
        switch dice.below(4) {
        case 0: return HostileCase(bytes: try JSON.write(tree))
        case 1: return HostileCase(bytes: (try? XMLPropertyList.write(tree)) ?? [])
        case 2: return HostileCase(bytes: try BinaryPropertyList.write(tree))
        default: return HostileCase(bytes: try KeyedArchive.write(tree, schema: .values))
        }
    }

    private static func number(_ dice: inout Dice, among count: Int = 1) -> ArchiveValue {
        let longest = max(64, (1 << 20) / count)
        return dice.chance(of: 4)
            ? .integer(ArchiveInteger(dice.below(100))) : .string(NumberTexts.text(&dice, longest: longest))
    }

    private static func scores(_ dice: inout Dice) -> ArchiveValue {
        let count = dice.size(upTo: 500)
        let rows = (0..<count).map { index in
            ArchiveValue.dictionary(["name": .string("player \(index)"), "score": number(&dice, among: count)])
        }
        return .dictionary(["hiscores": .array(rows)])
    }

    private static func character(_ dice: inout Dice) -> ArchiveValue {
        var fields: ArchiveFields = ["charColor": .string("red"), "charClass": .string("fighter")]
        for key in ["strength", "dexterity", "constitution", "intelligence", "wisdom", "charisma"] {
            fields[key] = number(&dice)
        }
        return .dictionary(fields)
    }

    private static func people(_ dice: inout Dice) -> ArchiveValue {
        let count = dice.size(upTo: 300)
        let people = (0..<count).map { _ in
            let (height, age) = (number(&dice, among: count * 2), number(&dice, among: count * 2))
            return ArchiveValue.dictionary(["name": .string("Ada"), "height": height, "age": age])
        }
        return .dictionary(["people": .array(people), "createdAt": number(&dice)])
    }

    private static func plain(_ dice: inout Dice) -> ArchiveValue {
        let count = dice.size(upTo: 900)
        let times = (0..<count).map { _ in number(&dice, among: count) }
        return .dictionary(["gold": number(&dice), "time": .array(times)])
    }
}
