import GameTrees

@testable import Games

extension GameTree {
    var surroundings: GameSurroundings { GameSurroundings(environment, mounts: [mounts]) }

    /// The games that are found here with the module's own list and with another list.
    func found(knowing list: String = "") -> GameFinder.Findings {
        GameFinder(surroundings, GameKnowledge([GameIndex(of: GameList.games(in: list))])).find()
    }
}

extension Collection {
    /// The element, if there is just one.
    var only: Element? { count == 1 ? first : nil }
}
