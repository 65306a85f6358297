/// The choices of the user after a conflict.
package struct ChooseEvent: EventPayload, Codable {
    package enum Kind: String, Codable, Sendable {
        case merge
    }

    package var game: GameTag
    /// A name for each side, in the order of the heads.
    package var sides: [String]
    /// `merge` if rules merge every file.
    package var kind: Kind?

    package init(_ game: GameTag, _ sides: [String], canMerge: Bool) {
        (self.game, self.sides, kind) = (game, sides, canMerge ? .merge : nil)
    }

    package var event: String { "choose" }

    private enum CodingKeys: String, CodingKey {
        case game
        case sides = "sharers"
        case kind
    }
}
