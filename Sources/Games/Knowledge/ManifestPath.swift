/// Converts a path of Ludusavi's manifest into places, such as `<home>/AppData/LocalLow/Maker/Game` or
/// `C:/Windows/game.ini`.
///
/// Many authors typed these paths, so one base has many spellings. An unknown spelling yields no place.
struct ManifestPath {
    /// The systems on which a path is valid.
    struct Systems: OptionSet, Sendable, Hashable {
        let rawValue: UInt8
        static let linux = Systems(rawValue: 1)
        static let windows = Systems(rawValue: 2)
        static let all: Systems = [.linux, .windows]
    }

    /// The values of the placeholders for the game itself.
    struct Game: Sendable {
        var steamID: UInt32?
        var installFolder: String?
    }

    private let parts: [String]
    private let systems: Systems
    private let game: Game

    init(_ written: String, on systems: Systems, of game: Game) {
        parts = written.split { $0 == "/" || $0 == "\\" }.map(String.init).filter { $0 != "." }
        (self.systems, self.game) = (systems, game)
        isAbsolute = written.hasPrefix("/")
    }

    private let isAbsolute: Bool

    /// The places of the path; none if it is too broad, or not one of Linux, Windows or Steam.
    var places: [GamePlace] {
        guard let first = parts.first, !parts.contains("..") else { return [] }
        let rest = parts.dropFirst()
        if isAbsolute { return first == "home" && rest.count > 1 ? home(rest.dropFirst()) : [] }
        if let base = Self.bases[first] { return place(base, rest) }
        switch first {
        case "<home>", "~": return home(rest)
        case "<base>": return place(.installDir, rest)
        case "<root>": return root(rest)
        case "<winDir>": return place(.winDrive, ["windows"] + rest)
        default: return first.lowercased() == "c:" ? drive(rest) : []
        }
    }

    private static let bases: [String: PlaceBase] = [
        "<xdgConfig>": .xdgConfig, "<xdgData>": .xdgData, "<winDocuments>": .winDocuments, "<winAppData>": .winAppData,
        "<winLocalAppData>": .winLocalAppData, "<winLocalAppDataLow>": .winLocalAppDataLow, "<winPublic>": .winPublic,
        "<winProgramData>": .winProgramData,
    ]

    private func home(_ rest: ArraySlice<String>) -> [GamePlace] {
        for (spelling, base) in Self.nativeSpellings where rest.starts(with: spelling) {
            return place(base, rest.dropFirst(spelling.count))
        }
        // A path of macOS.
        if rest.first == "Library" { return [] }
        // A path of Windows, no matter which systems the entry names.
        if let first = rest.first?.lowercased(), ["appdata", "application data", "local settings"].contains(first) {
            return windowsHome(rest)
        }
        return windowsHome(rest) + place(.home, rest)
    }

    private func windowsHome(_ rest: ArraySlice<String>) -> [GamePlace] {
        let small = rest.map { $0.lowercased() }
        for (spelling, base) in Self.windowsSpellings where small.starts(with: spelling) {
            return place(base, rest.dropFirst(spelling.count))
        }
        return place(.winHome, rest)
    }

    private static let nativeSpellings: [([String], PlaceBase)] = [
        ([".config"], .xdgConfig), ([".local", "share"], .xdgData),
    ]
    private static let windowsSpellings: [([String], PlaceBase)] = [
        (["appdata", "locallow"], .winLocalAppDataLow), (["appdata", "local"], .winLocalAppData),
        (["appdata", "roaming"], .winAppData), (["local settings", "application data"], .winLocalAppData),
        (["application data"], .winAppData), (["documents"], .winDocuments), (["my documents"], .winDocuments),
        (["saved games"], .winSavedGames),
    ]

    private func root(_ rest: ArraySlice<String>) -> [GamePlace] {
        let parts = Array(rest)
        if parts.first == "userdata" { return place(.steamUserdata, rest.dropFirst()) }
        if parts.first == "<game>" { return place(.installDir, rest.dropFirst()) }
        if parts.starts(with: ["steamapps", "common"]), parts.count > 2 {
            return place(.installDir, rest.dropFirst(3))
        }
        if parts.starts(with: ["steamapps", "compatdata"]), parts.count > 5, parts[3] == "pfx", parts[4] == "drive_c" {
            return drive(rest.dropFirst(5))
        }
        return []
    }

    /// The places of a path on the drive C.
    private func drive(_ rest: ArraySlice<String>) -> [GamePlace] {
        let small = rest.map { $0.lowercased() }
        if small.first == "users", small.count > 2 {
            return small[1] == "public" ? place(.winPublic, rest.dropFirst(2)) : windowsHome(rest.dropFirst(2))
        }
        if small.first == "programdata" { return place(.winProgramData, rest.dropFirst()) }
        return place(.winDrive, rest)
    }

    private func place(_ base: PlaceBase, _ rest: some Sequence<String>) -> [GamePlace] {
        if base == .home, !systems.contains(.linux) { return [] }
        if base.kind == .windows, !systems.contains(.windows) { return [] }
        var tail: [PlaceComponent] = []
        for part in rest {
            guard let component = component(part, below: base) else { return [] }
            tail.append(component)
        }
        // A pattern for everything in a folder means the folder.
        while tail.count > 1, let last = tail.last, last.text == "*" || last.text == "**" || last.text == "*.*" {
            tail.removeLast()
        }
        return (try? GamePlace(base, tail)).map { [$0] } ?? []
    }

    private func component(_ part: String, below base: PlaceBase) -> PlaceComponent? {
        var text = part
        if text.contains("<") {
            switch text {
            case "<storeUserId>": text = (base == .steamUserdata ? PlaceHole.steamUser : .storeUser).written
            case "<osUserName>": text = PlaceHole.userName.written
            case "<game>":
                guard let folder = game.installFolder else { return nil }
                text = folder
            default:
                if text.contains("<storeGameId>") {
                    guard let id = game.steamID else { return nil }
                    text = text.replacing("<storeGameId>", with: "\(id)")
                }
                text = text.replacing("<storeUserId>", with: "*").replacing("<osUserName>", with: "*")
            }
        }
        return try? PlaceComponent(text)
    }
}
