/// A place of a game's saves as it is on this machine.
package struct FoundPlace: Sendable, Hashable {
    /// The sort of files in a place.
    package enum Content: String, Sendable, Hashable {
        /// Files that the game itself saves.
        case saves
        /// Snapshots of an emulator's memory, which another version of the emulator can't read.
        case states
    }

    /// The use of the place among several layouts of the game.
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
    /// The patterns of the saves in the folder, such as `*.dat`; empty for all files.
    package let patterns: [String]
    package let content: Content
    package var standing: Standing
    package let tally: SaveTally
    /// The path without symbolic links. Two spellings of one place have the same real path.
    package let real: String
}
