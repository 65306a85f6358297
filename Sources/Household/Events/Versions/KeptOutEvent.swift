package import SaveRules
import Vocabulary

/// A version that is not applied to the folder.
package struct KeptOutEvent: EventPayload, Codable {
    package var game: GameTag
    package var snapshot: String
    package var problem: PassedOnError

    package init(_ game: GameTag, _ snapshot: SnapshotID, _ problem: PassedOnError) {
        (self.game, self.snapshot, self.problem) = (game, snapshot.description, problem)
    }

    package var event: String { "kept-out" }
}
