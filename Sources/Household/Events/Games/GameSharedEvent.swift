/// The daemon has found a game and shared it with the household.
package struct GameSharedEvent: EventPayload, Codable {
    package var game: GameTag
    package var path: String

    package init(_ game: GameTag, path: String) { (self.game, self.path) = (game, path) }

    package var event: String { "save-shared" }
}

/// The daemon has found a game and could not share it.
package struct GameNotSharedEvent: EventPayload, Codable {
    package var name: String
    package var message: String

    package init(name: String, message: String) { (self.name, self.message) = (name, message) }

    package var event: String { "save-not-shared" }

    private enum CodingKeys: String, CodingKey { case name, message }
}
