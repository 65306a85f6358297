/// Gives each game a short name that the user types.
enum GameNames {
    /// Names the games in the order of titles. Of two games with the same short name, the later one gets a suffix that
    /// depends only on its title.
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
