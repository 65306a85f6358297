/// A game in a list: its names at launchers, and the places of its saves.
package struct KnownGame: Sendable, Hashable {
    package var title: String
    package var steamIDs: [UInt32] = []
    package var gogIDs: [UInt64] = []
    package var installFolders: [String] = []
    package var flatpakIDs: [String] = []
    package var lutrisNames: [String] = []
    package var places: [GamePlace] = []
    /// True if the game saves in the registry of Windows, which Huddle does not sync.
    package var savesInRegistry = false
    /// The title of the game in the list, if this entry is only another name of it.
    package var alias: String?

    package init(_ title: String) {
        self.title = title
    }

    /// True if the entry has places, saves in the registry, or is an alias.
    var isUseful: Bool { !places.isEmpty || savesInRegistry || alias != nil }

    /// All keys of the game.
    var keys: Set<GameKey> {
        var keys: Set<GameKey> = [.title(title)]
        guard alias == nil else { return keys }
        keys.formUnion(steamIDs.map { .steam($0) })
        keys.formUnion(gogIDs.map { .gog($0) })
        keys.formUnion(installFolders.map { .folder($0) })
        keys.formUnion(flatpakIDs.map { .flatpak($0) })
        keys.formUnion(lutrisNames.map { .lutris($0) })
        keys.formUnion(places.compactMap { .place($0) })
        return keys
    }
}
