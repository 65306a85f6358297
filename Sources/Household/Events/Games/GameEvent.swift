/// An event about a game that needs no further facts.
package struct GameEvent: EventPayload, Codable {
    package enum Kind: String, CaseIterable, Codable, Sendable {
        case conflictOver = "conflict-over"
        case folderGone = "folder-gone"
        case folderBack = "folder-back"
        case resumed
        case ownVersionsBack = "own-versions-back"
        case notSent = "save-not-sent"
        /// The newest version is waited for.
        case fetching
        case notNewest = "not-newest"
    }

    package var kind: Kind
    package var game: GameTag

    package init(_ kind: Kind, _ game: GameTag) { (self.kind, self.game) = (kind, game) }

    package var event: String { kind.rawValue }

    private enum CodingKeys: String, CodingKey {
        case kind = "event"
        case game
    }
}
