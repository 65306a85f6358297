/// An event about a game and another machine.
package struct GamePeerEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// The game is shared with the machine.
        case offered
        /// The machine plays, and gets the request to stop.
        case asked
        case cutOff = "cut-off"
        case online = "save-peer"
        /// Its data was refused here.
        case refused
        /// It refused the data of this machine.
        case wasRefused = "was-refused"
    }

    package var kind: Kind
    package var machine: PeerTag
    package var game: GameTag

    package init(_ kind: Kind, _ machine: PeerTag, _ game: GameTag) {
        (self.kind, self.machine, self.game) = (kind, machine, game)
    }

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case machine = "peer"
        case game
    }
}
