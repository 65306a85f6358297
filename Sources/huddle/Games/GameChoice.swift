import Games
import Vocabulary

/// Finds the game that the user has typed.
enum GameChoice {
    /// Finds a game by its whole name, by the beginning of its name, or by a part of its title.
    static func game(_ typed: String, among games: [FoundGame]) throws(CommandError) -> FoundGame {
        let small = typed.lowercased()
        if let game = games.first(where: { $0.id == small }) { return game }
        let begun = games.filter { $0.id.hasPrefix(small) }
        let alike = begun.isEmpty ? games.filter { $0.title.lowercased().contains(small) } : begun
        let shown = "“\(PrintableText(typed, limit: 80))”"
        switch alike.count {
        case 1: return alike[0]
        case 0:
            let near = NearestName.of(small, in: games.map(\.id)).map { "did you mean “\($0)”? " } ?? ""
            throw CommandError(
                ErrorCode(.notFound, "games.not-found"),
                "no game \(shown) was found here",
                nextStep: "\(near)`huddle games` lists them"
            )
        default:
            let names = alike.prefix(6).map(\.id).joined(separator: ", ")
            throw CommandError(
                ErrorCode(.notFound, "games.several"),
                "\(shown) may be one of several games",
                nextStep: "type one of \(names)"
            )
        }
    }
}
