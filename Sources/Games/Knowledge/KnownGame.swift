/// A game as a list knows it: how launchers call it, and where it saves.
package struct KnownGame: Sendable, Hashable {
    package var title: String
    package var steamIDs: [UInt32] = []
    package var gogIDs: [UInt64] = []
    package var installFolders: [String] = []
    package var flatpakIDs: [String] = []
    package var lutrisNames: [String] = []
    package var places: [GamePlace] = []
    /// Whether it keeps saves in the registry of Windows, which Huddle does not sync.
    package var savesInRegistry = false
    /// The title in the list, if this is only another name.
    package var alias: String?

    package init(_ title: String) {
        self.title = title
    }

    /// Whether there is anything to find.
    var isUseful: Bool { !places.isEmpty || savesInRegistry || alias != nil }

    /// Everything by which it can be looked up.
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
