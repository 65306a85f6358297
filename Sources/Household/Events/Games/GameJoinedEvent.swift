/// The daemon joined a game.
package struct GameJoinedEvent: EventPayload, Codable {
    /// Machine that shares it; this machine if it had left the game.
    package var machine: PeerTag
    package var game: GameTag
    package var path: String

    package init(_ machine: PeerTag, _ game: GameTag, path: String) {
        (self.machine, self.game, self.path) = (machine, game, path)
    }

    package var event: String { "save-joined" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case game, path
    }
}
