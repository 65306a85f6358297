import LinuxPlatform

/// Names the paths that appear or change when a game is installed, or when it saves for the first time.
///
/// All calls block on the disk: call them through `runBlocking`.
package struct GameSigns {
    private let surroundings: GameSurroundings
    private let knowledge: GameKnowledge

    package init(_ surroundings: GameSurroundings, _ knowledge: GameKnowledge) {
        (self.surroundings, self.knowledge) = (surroundings, knowledge)
    }

    /// The paths for games by their short names. A path that ends with a slash stands for every name in the folder. A
    /// game that no list knows has none: it can't be found either.
    package func paths(of names: [String]) -> [String] {
        let games = names.compactMap { knowledge.game([.title($0)]) }
        guard !games.isEmpty else { return [] }
        var paths = HeroicScan(surroundings).lists + LutrisScan(surroundings).lists + BottlesScan(surroundings).lists
        for game in games {
            paths += game.flatpakIDs.map { surroundings.flatpak($0) }
            paths += Self.folders(of: game, surroundings.nativeRoots)
            let steam = SteamScan(surroundings).signs(of: game.steamIDs)
            paths += steam.files
            let prefixes = steam.prefixes + BottlesScan(surroundings).prefixes.map(\.roots)
            paths += prefixes.flatMap { Self.folders(of: game, $0) }
        }
        return Array(Set(paths)).sorted()
    }

    private static func folders(of game: KnownGame, _ roots: PlaceRoots) -> [String] {
        game.places.filter { $0.base.kind == roots.kind }.flatMap { place in
            (roots.folders[place.base] ?? []).map { root in
                ([root] + place.fixedNames).joined(separator: "/")
            }
        }
    }
}
