import Vocabulary

/// A game on this machine with the places of its saves.
package struct FoundGame: Sendable, Hashable {
    /// A fact about the saves that the user should know.
    package enum Note: Sendable, Hashable {
        /// The files are too many or too large for saves.
        case tooLarge
        /// The game saves only in the registry of Windows, which Huddle does not sync.
        case registryOnly
        /// The game creates the folders of its saves at its first start.
        case notStarted
        /// Both the version for Linux and the version for Windows have saved on this machine.
        case twoLayouts
        /// The saves exist, but no launcher has the game.
        case notInstalled
        /// An emulator that saves beside each game until its settings name a folder.
        case savesBesideGames
        /// Other games of the list save in the same folder.
        case sharesFolder(with: [String])
    }

    /// A short name to type, such as `hollow-knight`, unique among the games of this machine.
    package var id: String
    package let title: String
    package let launchers: [Launcher]
    package var places: [FoundPlace]
    package var notes: [Note]
    /// Its numbers in Steam, if Steam outside of a sandbox has it installed.
    package var steamApps: [UInt32] = []
    /// Its settings in other launchers outside of a sandbox.
    package var launcherEntries: [LauncherEntry] = []
    /// The folders with several of its places each, existing or not.
    var foldersOfPlaces: [FolderOfPlaces] = []

    /// The sum over the used places, without the states of emulators.
    package var tally: SaveTally {
        var sum = SaveTally()
        for place in places where place.standing == .used && place.content == .saves { sum.add(place.tally) }
        return sum
    }
}
