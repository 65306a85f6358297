/// A game counts as running from now on.
package struct PlayingEvent: EventPayload, Codable {
    package var game: GameTag
    /// Number of the run.
    package var number: Int64

    package init(_ game: GameTag, _ number: Int) { (self.game, self.number) = (game, Int64(number)) }

    package var event: String { "playing" }
}
