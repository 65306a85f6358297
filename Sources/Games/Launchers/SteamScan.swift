import Vocabulary

/// Finds the games of Steam in all its libraries, with their Proton prefixes, and the shortcuts to other programs.
struct SteamScan {
    private static let largestFile = 4 << 20
    private let surroundings: GameSurroundings

    init(_ surroundings: GameSurroundings) {
        self.surroundings = surroundings
    }

    func games() -> [InstalledGame] { steams.flatMap { games(of: $0) } }

    /// The files that Steam writes when it installs one of these games, and the roots of their prefixes, present or
    /// not.
    func signs(of ids: [UInt32]) -> (files: [String], prefixes: [PlaceRoots]) {
        var files: [String] = []
        var prefixes: [PlaceRoots] = []
        for library in Set(steams.flatMap(\.libraries)) {
            for id in ids {
                files.append("\(library)/steamapps/appmanifest_\(id).acf")
                let drive = "\(library)/steamapps/compatdata/\(id)/pfx/drive_c"
                prefixes.append(.windows(driveC: drive, users: ["steamuser"]))
            }
        }
        return (files, prefixes)
    }

    /// The folders in which Steam has a file for each installed game.
    var lists: [String] { Set(steams.flatMap(\.libraries)).map { "\($0)/steamapps" } }

    /// The folders of every Steam of a launcher, without links.
    func folders(of launcher: Launcher) -> [String] {
        steams.filter { $0.launcher == launcher }.map(\.path)
    }

    private var steams: [SteamRoot] {
        var seen: Set<String> = []
        return roots.compactMap { root, launcher in
            guard let real = LocalFiles.real(root), LocalFiles.isFolder("\(real)/steamapps"), seen.insert(real).inserted
            else { return nil }
            return SteamRoot(path: real, launcher: launcher, libraries: libraries(of: real))
        }
    }

    private var roots: [(String, Launcher)] {
        let own = [
            "\(surroundings.data)/Steam", "\(surroundings.home)/.steam/steam", "\(surroundings.home)/.steam/root",
            "\(surroundings.home)/.steam/debian-installation",
            "\(surroundings.home)/snap/steam/common/.local/share/Steam",
        ]
        let flatpak = surroundings.flatpak("com.valvesoftware.Steam")
        return own.map { ($0, .steam) }
            + ["\(flatpak)/.local/share/Steam", "\(flatpak)/.steam/steam", "\(flatpak)/data/Steam"].map {
                ($0, .steamFlatpak)
            }
    }

    /// The libraries of a Steam. The root is a library itself. Other libraries may be missing, such as those on a
    /// memory card.
    private func libraries(of root: String) -> [String] {
        let lists = ["\(root)/steamapps/libraryfolders.vdf", "\(root)/config/libraryfolders.vdf"]
        let paths = lists.compactMap { LocalFiles.read($0, limit: Self.largestFile) }
            .compactMap(KeyValuesReader.read).flatMap(Self.libraries)
        var seen: Set<String> = []
        return ([root] + paths.prefix(64)).compactMap(LocalFiles.real).filter { path in
            LocalFiles.isFolder("\(path)/steamapps") && seen.insert(path).inserted
        }
    }

    /// The paths in a list of libraries: in blocks, or as texts under numbers, as older versions wrote them.
    static func libraries(_ list: KeyValues) -> [String] {
        let folders = list["libraryfolders"] ?? list
        return folders.fields.compactMap { field in
            guard UInt(field.key) != nil else { return nil }
            return field.value.text("path") ?? field.value.text
        }.filter { $0.hasPrefix("/") }
    }

    private func games(of root: SteamRoot) -> [InstalledGame] {
        var games: [InstalledGame] = []
        var known: Set<UInt32> = []
        for library in root.libraries {
            let names = LocalFiles.entries("\(library)/steamapps").map(\.name)
            for name in names where name.hasPrefix("appmanifest_") && name.hasSuffix(".acf") {
                guard let bytes = LocalFiles.read("\(library)/steamapps/\(name)", limit: Self.largestFile),
                    let app = KeyValuesReader.read(bytes).flatMap(SteamApp.init), known.insert(app.id).inserted
                else { continue }
                games.append(game(app, in: library, of: root))
            }
        }
        games += shortcuts(of: root, known: &known)
        for id in leftIDs(of: root).subtracting(known).sorted() {
            var game = game(SteamApp(id: id, name: nil, folder: nil), in: root.path, of: root)
            game.presence = .removed
            games.append(game)
        }
        return games
    }

    private func game(_ app: SteamApp, in library: String, of root: SteamRoot) -> InstalledGame {
        var game = InstalledGame(root.launcher, app.name)
        (game.keys, game.steamApp, game.folderName) = ([.steam(app.id)], app.id, app.folder?.text)
        let folder = app.folder.map { "\(library)/steamapps/common/\($0.text)" }
        game.roots = nativeRoots(root)
        let prefixes = ([library] + root.libraries.filter { $0 != library })
            .compactMap { WinePrefix("\($0)/steamapps/compatdata/\(app.id)/pfx") }
        game.roots += prefixes.prefix(2).map(\.roots)
        for index in game.roots.indices { game.roots[index].folders[.installDir] = folder.map { [$0] } }
        if let place = try? GamePlace(.steamUserdata, tail: "<steamUser>/\(app.id)/remote") { game.ownPlaces = [place] }
        return game
    }

    private func nativeRoots(_ root: SteamRoot) -> [PlaceRoots] {
        var roots: PlaceRoots
        if root.launcher == .steamFlatpak {
            let home = surroundings.flatpak("com.valvesoftware.Steam")
            roots = .native(
                home: home,
                configuration: ["\(home)/config", "\(home)/.config"],
                data: ["\(home)/data", "\(home)/.local/share"]
            )
        } else {
            roots = surroundings.nativeRoots
        }
        roots.folders[.steamUserdata] = ["\(root.path)/userdata"]
        return [roots]
    }

    /// The programs that the user added. Their prefix has the number of the shortcut.
    private func shortcuts(of root: SteamRoot, known: inout Set<UInt32>) -> [InstalledGame] {
        var games: [InstalledGame] = []
        for account in LocalFiles.folders("\(root.path)/userdata", limit: 200) {
            let path = "\(root.path)/userdata/\(account)/config/shortcuts.vdf"
            guard let bytes = LocalFiles.read(path, limit: Self.largestFile),
                let list = BinaryKeyValuesReader.read(bytes)?["shortcuts"]
            else { continue }
            for field in list.fields.prefix(2000) {
                guard let shortcut = SteamShortcut(field.value), known.insert(shortcut.id).inserted else { continue }
                var game = InstalledGame(root.launcher, shortcut.name)
                game.roots = nativeRoots(root)
                let prefixes = root.libraries.compactMap { WinePrefix("\($0)/steamapps/compatdata/\(shortcut.id)/pfx") }
                game.roots += prefixes.prefix(1).map(\.roots)
                for index in game.roots.indices {
                    game.roots[index].folders[.installDir] = shortcut.folder.map { [$0] }
                }
                games.append(game)
            }
        }
        return games
    }

    /// The numbers of games whose prefix or cloud folder exists, installed or not.
    private func leftIDs(of root: SteamRoot) -> Set<UInt32> {
        var ids: Set<UInt32> = []
        for library in root.libraries {
            ids.formUnion(LocalFiles.folders("\(library)/steamapps/compatdata").compactMap { UInt32($0) })
        }
        for account in LocalFiles.folders("\(root.path)/userdata", limit: 200) where UInt32(account) != nil {
            ids.formUnion(LocalFiles.folders("\(root.path)/userdata/\(account)").compactMap { UInt32($0) })
        }
        return ids.subtracting([0, 7, 760])
    }
}

/// A Steam with its libraries.
private struct SteamRoot {
    let path: String
    let launcher: Launcher
    let libraries: [String]
}
