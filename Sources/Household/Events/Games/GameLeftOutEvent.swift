/// The number of entries changed that no version of a game can have.
package struct GameLeftOutEvent: EventPayload, Codable {
    package var game: GameTag
    package var leftOut: LeftOutInfo

    package init(_ game: GameTag, _ leftOut: LeftOutInfo) { (self.game, self.leftOut) = (game, leftOut) }

    package var event: String { "left-out" }
}
