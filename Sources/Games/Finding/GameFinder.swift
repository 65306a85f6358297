import LinuxPlatform
import Vocabulary

/// Finds the games of this machine and their saves. It blocks on the disk: call it through `runBlocking`.
package struct GameFinder {
    private let surroundings: GameSurroundings
    private let knowledge: GameKnowledge

    package init(_ surroundings: GameSurroundings, _ knowledge: GameKnowledge) {
        (self.surroundings, self.knowledge) = (surroundings, knowledge)
    }

    /// The result of a search.
    package struct Findings: Sendable {
        /// The games in the order of their titles.
        package var games: [FoundGame] = []
        /// The titles of installed games for which no list names a place of saves.
        package var unknown: [String] = []
    }

    package func find() -> Findings {
        var installed = SteamScan(surroundings).games() + HeroicScan(surroundings).games()
        installed += LutrisScan(surroundings).games() + FlatpakScan(surroundings).games()
        let bottles = BottlesScan(surroundings)
        installed += bottles.games()
        let probe = FolderProbe(knowledge)
        for prefix in bottles.prefixes + plainPrefixes {
            installed += probe.games(below: prefix.roots, by: prefix.launcher)
        }
        installed += probe.games(below: surroundings.nativeRoots, by: .folder)
        var assembly = GameAssembly(surroundings, knowledge)
        for game in installed { assembly.add(game) }
        var findings = assembly.findings()
        findings.games = GameNames.named(findings.games + EmulatorScan(surroundings).games())
        return findings
    }

    private var plainPrefixes: [(roots: PlaceRoots, launcher: Launcher)] {
        ["\(surroundings.home)/.wine"].compactMap { WinePrefix($0) }.map { ($0.roots, .folder) }
    }
}
