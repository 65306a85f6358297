package import SaveRules

/// A shared game and its state, in short.
package struct GameStateInfo: Hashable, Sendable {
    /// Id of the game.
    package var set: String
    package var name: String
    package var state: GameStatus

    package init(set: String, name: String, state: GameStatus) {
        (self.set, self.name, self.state) = (set, name, state)
    }
}

extension GameStateInfo: JSONShape {
    package init(_ fields: JSONFields) throws {
        set = try fields.required("set") { try fields.text($0) }
        name = try fields.required("name") { try fields.text($0) }
        state = try fields.required("state") { try fields.text($0).flatMap(GameStatus.init) }
    }

    package var fields: JSONFields {
        var fields = JSONFields()
        fields.set("set", set)
        fields.set("name", name)
        fields.set("state", state.rawValue)
        return fields
    }
}
