/// A game as a launcher knows it on this machine.
struct InstalledGame: Sendable {
    /// Whether a launcher says that it is there now, or only its saves are left.
    enum Presence: Sendable, Hashable {
        case installed, removed
    }

    let launcher: Launcher
    var title: String?
    /// Its sure names, such as the number that a store has for it.
    var keys: [GameKey] = []
    /// Its number in Steam's store.
    var steamApp: UInt32?
    /// The name of its folder, which may be that of another game's folder, too.
    var folderName: String?
    var presence = Presence.installed
    /// The folders of the bases of its places, one set for each layout that it may have.
    var roots: [PlaceRoots] = []
    /// A folder that holds its saves for certain, whatever a list says.
    var ownPlaces: [GamePlace] = []

    /// All that it is looked up by, the surest first.
    var lookups: [GameKey] {
        keys + (title.map { [.title($0)] } ?? []) + (folderName.map { [.folder($0)] } ?? [])
    }

    init(_ launcher: Launcher, _ title: String?) {
        (self.launcher, self.title) = (launcher, title)
    }
}
