package import Vocabulary

/// An event about the machines with which a game is shared.
package struct GameSharersEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        /// These machines may come online, and the daemon waits for them.
        case expected
        /// None of them is online.
        case alone
        /// They may still sync the game to the machine.
        case sharedElsewhere = "shared-elsewhere"
    }

    package var kind: Kind
    package var game: GameTag
    /// Ids of the machines.
    package var sharers: [String]
    /// Machine that no longer gets the game from here.
    package var machine: PeerTag?

    package init(_ kind: Kind, _ game: GameTag, _ sharers: [PeerID], than machine: PeerTag? = nil) {
        (self.kind, self.game) = (kind, game)
        (self.sharers, self.machine) = (sharers.map(\.description), machine)
    }

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case game, sharers
        case machine = "peer"
    }
}
