package import SaveRules
import Vocabulary

/// An event about a version of a game that needs no further facts.
package struct GameVersionEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case saved, arrived, applied, merged, restored, imported
        /// A conflict is fixed.
        case resolved
    }

    package var kind: Kind
    package var game: GameTag
    /// Id of the version; nil for a conflict that another machine ended at the same time.
    package var snapshot: String?

    package init(_ kind: Kind, _ game: GameTag, _ snapshot: SnapshotID?) {
        (self.kind, self.game, self.snapshot) = (kind, game, snapshot?.description)
    }

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case game, snapshot
    }
}
