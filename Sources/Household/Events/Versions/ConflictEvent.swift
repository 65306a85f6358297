package import SaveRules
import Vocabulary

/// A game has divergent versions. In a list of conflicts, its versions follow.
package struct ConflictEvent: EventPayload, Codable {
    package var game: GameTag
    /// Ids of the newest versions.
    package var heads: [String]

    package init(_ game: GameTag, _ heads: [SnapshotID]) {
        (self.game, self.heads) = (game, heads.map(\.description))
    }

    package var event: String { "conflict" }
}
