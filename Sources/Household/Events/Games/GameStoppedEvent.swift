package import SaveRules

/// Something stops a game between this machine and another one.
package struct GameStoppedEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var game: GameTag
    package var state: String
    package var problem: PassedOnError

    package init(_ machine: PeerTag, _ game: GameTag, _ obstacle: SyncObstacle, _ problem: PassedOnError) {
        (self.machine, self.game, state, self.problem) = (machine, game, obstacle.rawValue, problem)
    }

    package var event: String { "stopped" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case game, state, problem
    }
}
