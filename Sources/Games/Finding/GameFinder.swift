import LinuxPlatform
import Vocabulary

/// Finds the games of this machine and their saves. It waits for the disk, so it belongs on a thread of its own.
package struct GameFinder {
    private let surroundings: GameSurroundings
    private let knowledge: GameKnowledge

    package init(_ surroundings: GameSurroundings, _ knowledge: GameKnowledge) {
        (self.surroundings, self.knowledge) = (surroundings, knowledge)
    }

    /// The games that were found.
    package struct Findings: Sendable {
        /// By title.
        package var games: [FoundGame] = []
        /// The titles of installed games whose saves no list names the place of.
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
