import Vocabulary

/// Finds the programs of Bottles. A bottle is a prefix that may hold several games.
struct BottlesScan {
    private let folders: [(path: String, launcher: Launcher)]
    private let bottles: [(folder: String, launcher: Launcher, prefix: WinePrefix)]

    init(_ surroundings: GameSurroundings) {
        folders = [
            ("\(surroundings.data)/bottles/bottles", .bottles),
            ("\(surroundings.flatpak("com.usebottles.bottles"))/data/bottles/bottles", .bottlesFlatpak),
        ]
        bottles = folders.flatMap { folder, launcher in
            LocalFiles.folders(folder, limit: 1000).compactMap { name in
                WinePrefix("\(folder)/\(name)").map { ("\(folder)/\(name)", launcher, $0) }
            }
        }
    }

    /// The folders of bottles, and the file of each bottle in which Bottles lists its programs.
    var lists: [String] { folders.map { "\($0.path)/" } + bottles.map { "\($0.folder)/bottle.yml" } }

    /// All bottles, in which the finder looks for folders of games.
    var prefixes: [(roots: PlaceRoots, launcher: Launcher)] { bottles.map { ($0.prefix.roots, $0.launcher) } }

    /// The programs that the user added to the list of a bottle.
    func games() -> [InstalledGame] {
        bottles.flatMap { folder, launcher, prefix -> [InstalledGame] in
            guard let bytes = LocalFiles.read("\(folder)/bottle.yml", limit: 4 << 20) else { return [] }
            return Self.programs(YAMLFields.read(bytes)).map { name, folder in
                var game = InstalledGame(launcher, name)
                game.folderName = folder?.lastName
                game.roots = [prefix.roots]
                game.roots[0].folders[.installDir] = folder.map { [$0] }
                return game
            }
        }
    }

    static func programs(_ fields: [String: String]) -> [(name: String, folder: String?)] {
        let start = "External_Programs."
        let keys = Set(
            fields.keys.filter { $0.hasPrefix(start) }.compactMap {
                $0.dropFirst(start.count).split(separator: ".").first
            }
        )
        return keys.sorted().compactMap { key in
            guard let name = fields["\(start)\(key).name"], !name.isEmpty else { return nil }
            let folder = fields["\(start)\(key).folder"] ?? fields["\(start)\(key).path"]?.parentFolder
            return (name, folder.flatMap { $0.hasPrefix("/") ? $0 : nil })
        }
    }
}
