package import SaveRules

/// The folder of a game has lost its files.
package struct GameEmptiedEvent: EventPayload, Codable {
    private struct Counts: Codable, Hashable {
        var removed: Int
        var added: Int
    }

    package var game: GameTag
    private var counts: Counts
    package var problem: PassedOnError

    package init(_ game: GameTag, _ emptied: EmptiedSave, _ problem: PassedOnError) {
        (self.game, self.problem) = (game, problem)
        counts = Counts(removed: emptied.removed, added: emptied.added)
    }

    package var event: String { "emptied" }
}
