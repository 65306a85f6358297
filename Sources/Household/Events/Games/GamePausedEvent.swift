/// A game is paused on this machine.
package struct GamePausedEvent: EventPayload, Codable {
    package var game: GameTag
    /// End of the pause, in seconds since 1970.
    package var end: Int64?
    package var problem: PassedOnError

    package init(_ game: GameTag, until end: Int64?, _ problem: PassedOnError) {
        (self.game, self.end, self.problem) = (game, end, problem)
    }

    package var event: String { "paused" }

    private enum CodingKeys: String, CodingKey {
        case game
        case end = "time"
        case problem
    }
}
