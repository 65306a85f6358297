/// A game as a launcher knows it on this machine.
struct InstalledGame: Sendable {
    /// Whether a launcher says that it is there now, or only its saves are left.
    enum Presence: Sendable, Hashable {
        case installed, removed
    }

    let launcher: Launcher
    var title: String?
    var keys: [GameKey] = []
    var presence = Presence.installed
    /// Where the bases of its places lie, one set for each layout that it may have.
    var roots: [PlaceRoots] = []
    /// A folder that holds its saves for certain, whatever a list says.
    var ownPlaces: [GamePlace] = []

    init(_ launcher: Launcher, _ title: String?) {
        (self.launcher, self.title) = (launcher, title)
    }
}
