/// Gives each game the short name by which it is typed.
enum GameNames {
    /// In the order of titles. Of two games with the same short name the later in that order gets a mark, which depends on its title alone.
    static func named(_ games: [FoundGame]) -> [FoundGame] {
        var taken: Set<String> = []
        return games.sorted { (GameTitle.bare($0.title), $0.title) < (GameTitle.bare($1.title), $1.title) }.map {
            game in
            var game = game
            let name = GameTitle.shortName(game.title)
            game.id = taken.contains(name) ? "\(name)-\(GameTitle.mark(of: game.title))" : name
            taken.insert(game.id)
            return game
        }
    }
}
