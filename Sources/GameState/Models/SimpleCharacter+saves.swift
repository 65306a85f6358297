import SecureArchive

extension SimpleCharacter: SavedGame {
    static let game = "character"

    static func isSave(_ state: GameState) -> Bool {
        if case .tagged(let name, _) = state.root {
            return name == table.className || table.otherClassNames.contains(name)
        }
        return state.contains("charClass") && state.contains("strength")
    }

    static func converted(_ tree: ArchiveValue, toTheFormOf other: ArchiveValue) -> ArchiveValue {
        guard table.isUnkeyed(tree) != table.isUnkeyed(other), let character = try? SimpleCharacter(reading: tree)
        else {
            return tree
        }
        return character.tree(over: other)
    }

    /// Training is never lost: the larger abilities win. In the older order the abilities have numbers.
    static let rules = MergeRules(
        """
        merge strength     = max
        merge dexterity    = max
        merge constitution = max
        merge intelligence = max
        merge wisdom       = max
        merge charisma     = max
        merge $2           = max
        merge $3           = max
        merge $4           = max
        merge $5           = max
        merge $6           = max
        merge $7           = max
        """
    )

    var summary: [Summary.Line] {
        let abilities = [
            ("strength", strength), ("dexterity", dexterity), ("constitution", constitution),
            ("intelligence", intelligence), ("wisdom", wisdom), ("charisma", charisma),
        ]
        return [
            Summary.Line("class", charClass, .string(charClass)), Summary.Line("color", charColor, .string(charColor)),
        ] + abilities.map { Summary.Line($0.0, "\($0.1)", .integer(ArchiveInteger($0.1))) }
    }
}
