import LinuxPlatform

/// Names the paths that change if any game is installed, or if a game saves for the first time.
///
/// All calls block on the disk: call them through `runBlocking`.
package struct NewGameSigns: Sendable {
    /// Files of launchers, and folders whose own time changes with their contents.
    private let files: [String]
    /// Folders in which programs have a folder each. Other files there change often, and are no games.
    private let folders: [String]

    private static let mostFolders = 512

    /// - Parameter waiting: the folders in which found games will save
    package init(_ surroundings: GameSurroundings, waiting: [String] = []) {
        let launchers =
            HeroicScan(surroundings).lists + LutrisScan(surroundings).lists + BottlesScan(surroundings).lists
            + SteamScan(surroundings).lists
        files = launchers + waiting
        var folders = [surroundings.flatpak("")]
        for base in [PlaceBase.xdgData, .xdgConfig, .home] {
            for root in surroundings.nativeRoots.folders[base] ?? [] { Self.add(base, root, [], to: &folders) }
        }
        self.folders = folders
    }

    private static func add(_ base: PlaceBase, _ path: String, _ names: [String], to folders: inout [String]) {
        guard folders.count < mostFolders else { return }
        folders.append(path.hasSuffix("/") ? path : "\(path)/")
        for name in LocalFiles.folders(path) where name != ".cache" {
            let below = names + [name]
            if FolderOfMany.holdsMany(base, below[...]) { add(base, "\(path)/\(name)", below, to: &folders) }
        }
    }

    /// The paths to watch. A path that ends with a slash stands for every name in the folder.
    package var paths: [String] {
        Array(Set(files + files.map { $0.hasSuffix("/") ? $0 : "\($0)/" } + folders)).sorted()
    }

    /// A value that stays the same as long as no sign has changed. Of folders of programs only the names of folders
    /// count: a desktop writes its settings there all the time.
    package func state() -> Int {
        var hasher = Hasher()
        for path in files {
            let facts = try? FileFacts(at: path)
            hasher.combine(facts?.modified)
            hasher.combine(facts?.size)
        }
        for path in folders { hasher.combine(LocalFiles.folders(path)) }
        return hasher.finalize()
    }
}
