/// A place of a game's saves as it is on this machine.
package struct FoundPlace: Sendable, Hashable {
    /// The sort of files in a place.
    package enum Content: String, Sendable, Hashable {
        /// Files that the game itself saves.
        case saves
        /// Pictures of an emulator's memory, which another version can't read.
        case states
    }

    /// How it came to be the one that counts, or not to.
    package enum Standing: String, Sendable, Hashable {
        case used
        /// Another layout of the same game has the newer saves.
        case unused
        /// The game has not saved yet, and will save there.
        case expected
    }

    package let path: String
    package let place: GamePlace
    package let kind: PlaceKind
    /// The patterns that count of the folder, such as `*.dat`; none for all.
    package let patterns: [String]
    package let content: Content
    package var standing: Standing
    package let tally: SaveTally
    /// The folder without any link, by which two spellings of one place are told to be the same.
    package let real: String
}
