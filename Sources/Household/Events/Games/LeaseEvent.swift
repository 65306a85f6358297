/// The play lock of a game changed.
package struct LeaseEvent: EventPayload, Codable {
    package enum State: String, Codable, Sendable {
        case playing, taken, requested, denied, lost
        case ranOut = "ran-out"
        case unanswered, released
    }

    package var machine: PeerTag?
    package var game: GameTag
    package var state: State

    package init(_ state: State, _ game: GameTag, _ machine: PeerTag?) {
        (self.state, self.game, self.machine) = (state, game, machine)
    }

    package var event: String { "lease" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case game, state
    }
}
