import Vocabulary

/// A game on this machine with the places of its saves.
package struct FoundGame: Sendable, Hashable {
    /// A fact that a person should know.
    package enum Note: Sendable, Hashable {
        /// There is more than Huddle takes for saves.
        case tooLarge
        /// It saves in the registry of Windows alone, which Huddle does not sync.
        case registryOnly
        /// It makes the folders of its saves when it is started for the first time.
        case notStarted
        /// Both its version for Linux and that for Windows have saved here.
        case twoLayouts
        /// Its saves are there, and no launcher has it.
        case notInstalled
        /// An emulator that saves beside each game until its settings name a folder.
        case savesBesideGames
        /// Other games of the list save in the same folder.
        case sharesFolder(with: [String])
    }

    /// A short name that can be typed, such as `hollow-knight`; no other game found here has it.
    package var id: String
    package let title: String
    package let launchers: [Launcher]
    package var places: [FoundPlace]
    package var notes: [Note]
    /// Its numbers in Steam, if Steam outside of a sandbox has it installed.
    package var steamApps: [UInt32] = []

    /// The place here of what another machine calls by this place; nil if the game has none like it here.
    ///
    /// A place for Windows and one for Linux are never taken for each other: the game may write another format.
    package func place(like wanted: GamePlace) -> FoundPlace? {
        places.first { found in
            guard found.place.base == wanted.base, found.place.tail.count == wanted.tail.count else { return false }
            return zip(found.place.tail, wanted.tail).allSatisfy { one, other in
                found.kind == .windows ? one.text.lowercased() == other.text.lowercased() : one == other
            }
        }
    }

    /// All that its used places hold together, states of emulators left out.
    package var tally: SaveTally {
        var sum = SaveTally()
        for place in places where place.standing == .used && place.content == .saves { sum.add(place.tally) }
        return sum
    }
}
