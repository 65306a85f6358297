import Games
import LinuxPlatform
import SaveService

/// The games of this machine, by the launchers and the lists of the user. Each search reads the disk.
struct GamesOfMachine: AutoJoin.LocalGames {
    let lists: GameLists

    func places(of names: [String]) async -> [String: AutoJoin.Place] {
        let found = await search { GameFinder($0, $1).find().games } ?? []
        let places = found.compactMap { game in
            game.sharedPlace.map { (game.id, AutoJoin.Place($0.path, hasOtherFiles: $0.ignoring != [])) }
        }
        return Dictionary(places.filter { names.contains($0.0) }) { first, _ in first }
    }

    func watchPaths(of names: [String]) async -> [String] { await search { GameSigns($0, $1).paths(of: names) } ?? [] }

    private func search<Result: Sendable>(
        _ body: @escaping @Sendable (GameSurroundings, GameKnowledge) -> Result
    ) async -> Result? {
        try? await runBlocking("games") { [lists] in
            let surroundings = GameSurroundings(ProgramLaunch.ownEnvironment)
            return body(surroundings, lists.knowledge(for: surroundings).knowledge)
        }
    }
}
