package import SaveRules
import Vocabulary

/// An archive of `huddle state push` arrived.
package struct DeliveredEvent: EventPayload, Codable {
    package var machine: PeerTag
    package var game: GameTag
    package var snapshot: String
    package var path: String

    package init(_ machine: PeerTag, _ game: GameTag, _ snapshot: SnapshotID, path: String) {
        (self.machine, self.game, self.snapshot, self.path) = (machine, game, snapshot.description, path)
    }

    package var event: String { "delivered" }

    private enum CodingKeys: String, CodingKey {
        case machine = "peer"
        case game, snapshot, path
    }
}
