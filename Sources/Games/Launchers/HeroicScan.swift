import LinuxPlatform
import SecureArchive
import Vocabulary

/// Finds the games that Heroic installed from GOG, Epic and Amazon, and those that the user added, with their prefixes.
struct HeroicScan {
    private static let largestFile = 16 << 20
    private let surroundings: GameSurroundings

    init(_ surroundings: GameSurroundings) {
        self.surroundings = surroundings
    }

    func games() -> [InstalledGame] { configurations.flatMap { games(in: $0, besides: $1, by: $2) } }

    /// The files in which Heroic lists installed games, present or not.
    var lists: [String] {
        configurations.flatMap { folder, legendary, _ in
            [Self.gogList(folder), Self.amazonList(folder), Self.sideloadedList(folder)]
                + Self.epicFolders(folder, legendary).map { "\($0)/installed.json" }
        }
    }

    private var configurations: [(folder: String, legendary: String, launcher: Launcher)] {
        let flatpak = surroundings.flatpak("com.heroicgameslauncher.hgl")
        return [
            ("\(surroundings.configuration)/heroic", "\(surroundings.configuration)/legendary", .heroic),
            ("\(flatpak)/config/heroic", "\(flatpak)/config/legendary", .heroicFlatpak),
        ]
    }

    private static func gogList(_ folder: String) -> String { "\(folder)/gog_store/installed.json" }
    private static func amazonList(_ folder: String) -> String { "\(folder)/nile_config/nile/installed.json" }
    private static func sideloadedList(_ folder: String) -> String { "\(folder)/sideload_apps/library.json" }
    private static func epicFolders(_ folder: String, _ legendary: String) -> [String] {
        ["\(folder)/legendaryConfig/legendary", legendary]
    }

    private func games(in folder: String, besides legendary: String, by launcher: Launcher) -> [InstalledGame] {
        guard LocalFiles.isFolder(folder) || LocalFiles.isFolder(legendary) else { return [] }
        var apps = gog(folder) + epic(Self.epicFolders(folder, legendary), folder) + amazon(folder)
        apps += sideloaded(folder)
        var seen: Set<String> = []
        return apps.filter { seen.insert($0.id).inserted }.map { game($0, folder, launcher) }
    }

    /// A game by the name that its store uses for it.
    private struct App {
        let id: String
        let title: String?
        let folder: String?
        var key: GameKey?
    }

    private func gog(_ folder: String) -> [App] {
        let titles = self.titles(
            ["\(folder)/store_cache/gog_library.json", "\(folder)/gog_store/library.json"],
            "games"
        )
        return list(Self.gogList(folder), under: "installed").compactMap { entry in
            guard let id = entry.string("appName") else { return nil }
            let path = entry.string("install_path")
            return App(id: id, title: titles[id] ?? path?.lastName, folder: path, key: UInt64(id).map { .gog($0) })
        }
    }

    private func epic(_ folders: [String], _ heroic: String) -> [App] {
        let titles = self.titles(["\(heroic)/store_cache/legendary_library.json"], "library")
        return folders.flatMap { folder -> [App] in
            guard case .dictionary(let games) = json("\(folder)/installed.json") else { return [] }
            return games.prefix(5000).map { id, entry in
                App(id: id, title: entry.string("title") ?? titles[id], folder: entry.string("install_path"))
            }
        }
    }

    private func amazon(_ folder: String) -> [App] {
        let titles = self.titles(["\(folder)/store_cache/nile_library.json"], "library")
        return list(Self.amazonList(folder), under: nil).compactMap { entry in
            guard let id = entry.string("id") else { return nil }
            let path = entry.string("path")
            return App(id: id, title: titles[id] ?? path?.lastName, folder: path)
        }
    }

    private func sideloaded(_ folder: String) -> [App] {
        list(Self.sideloadedList(folder), under: "games").compactMap { entry in
            guard let id = entry.string("app_name") else { return nil }
            let program = entry["install"]?.string("executable")
            return App(
                id: id,
                title: entry.string("title"),
                folder: entry.string("folder_name") ?? program?.parentFolder
            )
        }
    }

    private func game(_ app: App, _ folder: String, _ launcher: Launcher) -> InstalledGame {
        var game = InstalledGame(launcher, app.title)
        game.keys = app.key.map { [$0] } ?? []
        game.folderName = app.folder?.lastName
        if launcher == .heroicFlatpak {
            let home = surroundings.flatpak("com.heroicgameslauncher.hgl")
            game.roots = [.native(home: home, configuration: ["\(home)/config"], data: ["\(home)/data"])]
        } else {
            game.roots = [surroundings.nativeRoots]
            game.entry = settings(of: app.id, folder).map { .heroic(LauncherFile($0), app: app.id) }
        }
        if let prefix = prefix(of: app.id, folder) { game.roots.append(prefix.roots) }
        for index in game.roots.indices { game.roots[index].folders[.installDir] = app.folder.map { [$0] } }
        return game
    }

    /// The prefix that the settings of a game name.
    private func prefix(of id: String, _ folder: String) -> WinePrefix? {
        guard let path = settings(of: id, folder).flatMap({ json($0)?[id]?.string("winePrefix") }) else { return nil }
        return WinePrefix(path.hasPrefix("~/") ? "\(surroundings.home)/\(path.dropFirst(2))" : path)
    }

    /// The file of the settings of a game; nil if it has none yet.
    private func settings(of id: String, _ folder: String) -> String? {
        let path = "\(folder)/GamesConfig/\(id).json"
        return (try? FileName("\(id).json")) != nil && LocalFiles.kind(path) == .file ? path : nil
    }

    private func titles(_ paths: [String], _ key: String) -> [String: String] {
        var titles: [String: String] = [:]
        for path in paths {
            for entry in list(path, under: key) {
                if let id = entry.string("app_name") ?? entry.string("id"), let title = entry.string("title") {
                    titles[id] = titles[id] ?? title
                }
            }
        }
        return titles
    }

    private func list(_ path: String, under key: String?) -> [ArchiveValue] {
        guard let whole = json(path), case .array(let entries)? = key.map({ whole[$0] }) ?? whole else { return [] }
        return Array(entries.prefix(5000))
    }

    private func json(_ path: String) -> ArchiveValue? {
        LocalFiles.read(path, limit: Self.largestFile).flatMap { try? JSON.read($0) }
    }
}
