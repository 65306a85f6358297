import LinuxPlatform

/// Finds games by the names of their folders among those of other programs.
struct FolderProbe {
    private let knowledge: GameKnowledge

    init(_ knowledge: GameKnowledge) {
        self.knowledge = knowledge
    }

    /// The games of a list that have a folder below some roots.
    func games(below roots: PlaceRoots, by launcher: Launcher) -> [InstalledGame] {
        var titles: Set<String> = []
        var games: [InstalledGame] = []
        for base in PlaceBase.allCases where base != .installDir && base != .steamUserdata {
            for root in roots.folders[base] ?? [] {
                probe(base, root, []) { known in
                    guard titles.insert(GameTitle.bare(known.title)).inserted else { return }
                    var game = InstalledGame(launcher, known.title)
                    game.roots = [roots]
                    games.append(game)
                }
            }
        }
        return games
    }

    private func probe(_ base: PlaceBase, _ path: String, _ names: [String], _ take: (KnownGame) -> Void) {
        for (name, kind) in LocalFiles.entries(path) where kind != .other {
            let below = names + [name]
            for game in knowledge.games(savingIn: .folder(base, below)) where game.alias == nil { take(game) }
            if kind != .file, FolderOfMany.holdsMany(base, below[...]) { probe(base, "\(path)/\(name)", below, take) }
        }
    }
}
