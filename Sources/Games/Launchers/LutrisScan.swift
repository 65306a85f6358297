import Database
import LinuxPlatform
import Vocabulary

/// Finds the games of Lutris, by its database and the settings of each game.
struct LutrisScan {
    private static let largestFile = 32 << 20
    private let surroundings: GameSurroundings

    init(_ surroundings: GameSurroundings) {
        self.surroundings = surroundings
    }

    func games() -> [InstalledGame] { configurations.flatMap { games($0, $1) } }

    /// The files that change with Lutris's database, present or not.
    var lists: [String] {
        configurations.flatMap(\.folders).flatMap { folder in ["", "-wal", "-journal"].map { "\(folder)/pga.db\($0)" } }
    }

    private var configurations: [(folders: [String], launcher: Launcher)] {
        let flatpak = surroundings.flatpak("net.lutris.Lutris")
        return [
            (["\(surroundings.data)/lutris", "\(surroundings.configuration)/lutris"], .lutris),
            (["\(flatpak)/data/lutris", "\(flatpak)/config/lutris"], .lutrisFlatpak),
        ]
    }

    private func games(_ folders: [String], _ launcher: Launcher) -> [InstalledGame] {
        guard let folder = folders.first(where: { LocalFiles.kind("\($0)/pga.db") == .file }) else { return [] }
        return entries("\(folder)/pga.db").map { game($0, folders, launcher) }
    }

    private func entries(_ path: String) -> [LutrisEntry] {
        guard let file = LocalFiles.read(path, limit: Self.largestFile),
            let image = try? DatabaseImage(
                file: file,
                log: LocalFiles.read("\(path)-wal", limit: Self.largestFile) ?? []
            )
        else { return [] }
        return (try? LutrisEntry.all(in: image)) ?? []
    }

    private func game(_ entry: LutrisEntry, _ folders: [String], _ launcher: Launcher) -> InstalledGame {
        var game = InstalledGame(launcher, entry.name)
        game.keys = [.lutris(entry.slug)]
        let file = file(of: entry, folders)
        let settings =
            file.flatMap { LocalFiles.read($0, limit: 1 << 20) }.map { LutrisSettings($0) } ?? LutrisSettings()
        if launcher == .lutris { game.entry = file.map { .lutris(LauncherFile($0)) } }
        let directory = entry.directory.flatMap { $0.hasPrefix("/") ? $0 : nil }
        let folder = settings.workingFolder ?? settings.program?.parentFolder ?? directory
        game.roots = [launcher == .lutrisFlatpak ? sandboxRoots : surroundings.nativeRoots]
        // The settings of the game count more than the folder in the database.
        if entry.runner != "linux" {
            let prefixes = [settings.prefix, directory, folder.map { $0.prefixAround }].compactMap { $0 }.lazy
                .compactMap { WinePrefix($0) }
            if let prefix = prefixes.first { game.roots.append(prefix.roots) }
        }
        game.folderName = folder?.lastName
        for index in game.roots.indices { game.roots[index].folders[.installDir] = folder.map { [$0] } }
        return game
    }

    private var sandboxRoots: PlaceRoots {
        let home = surroundings.flatpak("net.lutris.Lutris")
        return .native(home: home, configuration: ["\(home)/config"], data: ["\(home)/data"])
    }

    /// The file of the settings of a game; nil if it has none.
    private func file(of entry: LutrisEntry, _ folders: [String]) -> String? {
        guard let name = entry.settingsName, (try? FileName("\(name).yml")) != nil else { return nil }
        return folders.map { "\($0)/games/\(name).yml" }.first { LocalFiles.kind($0) == .file }
    }
}

extension String {
    /// The folder of the prefix that contains a path; the path itself if no prefix does.
    fileprivate var prefixAround: String {
        range(of: "/drive_c").map { String(self[..<$0.lowerBound]) } ?? self
    }

    private func range(of part: String) -> Range<String.Index>? { ranges(of: part).first }
}
