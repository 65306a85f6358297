/// The daemon could not join a game.
package struct GameNotJoinedEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var game: GameTag
    package var message: String

    package init(_ machine: PeerTag, _ game: GameTag, _ message: String) {
        (self.machine, self.game, self.message) = (machine, game, message)
    }

    package var event: String { "save-not-joined" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case game, message
    }
}
