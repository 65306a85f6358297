/// A game of a launcher on this machine.
struct InstalledGame: Sendable {
    /// The presence of a game: installed in the launcher, or removed with its saves left.
    enum Presence: Sendable, Hashable {
        case installed, removed
    }

    let launcher: Launcher
    var title: String?
    /// Its reliable names, such as the number that a store has for it.
    var keys: [GameKey] = []
    /// Its number in Steam's store.
    var steamApp: UInt32?
    /// The name of its folder, which may be that of another game's folder, too.
    var folderName: String?
    var presence = Presence.installed
    /// Its settings in a launcher that can start programs of this machine.
    var entry: LauncherEntry?
    /// The folders of all bases, one set for each possible layout of the game.
    var roots: [PlaceRoots] = []
    /// Places that certainly hold saves of the game, even if no list names them.
    var ownPlaces: [GamePlace] = []

    /// The keys for the lookup, the most reliable first.
    var lookups: [GameKey] {
        keys + (title.map { [.title($0)] } ?? []) + (folderName.map { [.folder($0)] } ?? [])
    }

    init(_ launcher: Launcher, _ title: String?) {
        (self.launcher, self.title) = (launcher, title)
    }
}
