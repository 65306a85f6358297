package import SaveRules
import Vocabulary

/// A version that is not applied to the folder yet.
package struct HeldBackEvent: EventPayload, Codable {
    package var game: GameTag
    package var snapshot: String
    package var reason: String

    package init(_ game: GameTag, _ snapshot: SnapshotID, because reason: String) {
        (self.game, self.snapshot, self.reason) = (game, snapshot.description, reason)
    }

    package var event: String { "held-back" }
}
