/// A key for the lookup of a game.
package struct GameKey: Hashable, Sendable {
    let text: String

    package static func steam(_ id: UInt32) -> GameKey { GameKey(text: "steam:\(id)") }
    package static func gog(_ id: UInt64) -> GameKey { GameKey(text: "gog:\(id)") }
    package static func folder(_ name: String) -> GameKey { GameKey(text: "dir:\(name.lowercased())") }
    package static func flatpak(_ id: String) -> GameKey { GameKey(text: "flatpak:\(id)") }
    package static func lutris(_ name: String) -> GameKey { GameKey(text: "lutris:\(name)") }

    /// The key of a title. Launchers write titles with other spaces, marks and capitals.
    package static func title(_ title: String) -> GameKey { GameKey(text: "title:\(GameTitle.bare(title))") }

    /// The key of the first folders of a place; nil if a launcher names the beginning of the place.
    static func place(_ place: GamePlace) -> GameKey? {
        guard place.base != .installDir, place.base != .steamUserdata else { return nil }
        let names = place.fixedNames
        guard !names.isEmpty else { return nil }
        var depth = 1
        while depth < names.count, FolderOfMany.holdsMany(place.base, names[..<depth]) { depth += 1 }
        return .folder(place.base, names[..<depth])
    }

    package static func folder(_ base: PlaceBase, _ names: some Sequence<String>) -> GameKey {
        GameKey(text: "place:\(base.rawValue)/\(names.joined(separator: "/").lowercased())")
    }

    var isFolder: Bool { text.hasPrefix("dir:") }

    /// A digest that is the same on every machine and in every run.
    var digest: UInt64 { StableDigest.of(text) }
}
