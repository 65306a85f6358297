package import SaveRules

/// The state of a game has changed, or the machines that have its newest save.
package struct GameStatusEvent: EventPayload, Codable {
    package var game: GameTag
    package var state: String

    package init(_ game: GameTag, _ status: GameStatus) { (self.game, state) = (game, status.rawValue) }

    package var event: String { "save-state" }
}
