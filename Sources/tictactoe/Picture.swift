import GameState
import Vocabulary

/// What is on the screen: lines of plain text, 80 wide at the most. Everything that others say is shown as text and nothing else.
enum Picture {
    /// How many lines there are above the one on which the person types.
    static let height = 20
    static let width = 80

    /// A game, with what there is to say about it.
    static func lines(of table: Table) -> [String] {
        var lines = ["  Tic-tac-toe against \(shown(table.opponentName, 40)); you are \(symbol(table.mark))", ""]
        lines += grid(table.game)
        lines += ["", "  \(situation(table))", "  \(shown(table.notice, 76))", ""]
        lines += table.chat.map { "  \(shown($0, 76))" }
        return fitted(lines)
    }

    /// Who is there, and who asks.
    static func lines(of lobby: Lobby) -> [String] {
        var lines = ["  Tic-tac-toe: \(shown(lobby.name, 40))", ""]
        if let asking = lobby.asking {
            lines += ["  \(shown(asking, 40)) wants to play. y (yes), n (no), or b (block)?", ""]
        }
        let isEmpty = lobby.people.isEmpty
        lines += isEmpty ? ["  Nobody is there yet. c plays against the computer."] : ["  Who is there:", ""]
        lines += lobby.people.prefix(9).enumerated().map { "   \($0.offset + 1)  \(shown($0.element, 60))" }
        lines += ["", "  \(shown(lobby.notice, 76))"]
        return fitted(lines)
    }

    static func prompt(of table: Table) -> String { "1–9 moves, a text is chat, /help: " }

    static func prompt(of lobby: Lobby) -> String {
        lobby.asking == nil ? "a number invites, c computer, s scores, q quits: " : "y, n or b, then Enter: "
    }

    /// The best, for people.
    static func lines(of scores: HighScores) -> [String] {
        if scores.entries.isEmpty { return fitted(["  Nobody has won on this machine yet."]) }
        let rows = scores.entries.prefix(15).map { "  \(shown($0.name, 40)): \($0.score)" }
        return fitted(["  Victories", ""] + rows)
    }

    static let help = fitted([
        "  1 to 9       takes that square:   1 2 3", "                                    4 5 6",
        "                                    7 8 9", "  any text     is said to the other side",
        "  /new         begins another game",
        "  /save NAME   keeps the game, /load NAME goes on with it", "  /scores      shows who has won how often",
        "  /leave       goes back to where one chooses whom to play", "  /quit        ends the program", "",
        "  Enter goes back to the game.",
    ])

    /// Before each line of the grid.
    static let gridIndent = "        "

    private static func grid(_ game: TicTacToe) -> [String] {
        var lines: [String] = []
        for row in 0..<3 {
            let cells = (0..<3).map { column in
                let square = row * 3 + column
                return " \(game.grid[square] == .blank ? "\(square + 1)" : symbol(game.grid[square])) "
            }
            lines.append(gridIndent + cells.joined(separator: "│"))
            if row < 2 { lines.append(gridIndent + "───┼───┼───") }
        }
        return lines
    }

    static func symbol(_ mark: TicTacToe.Mark) -> String { mark.symbol.rawValue }

    private static func situation(_ table: Table) -> String {
        let name = shown(table.opponentName, 40)
        switch (table.connection, table.game.phase) {
        case (.gone, _): return "\(name) has gone: Enter invites, /leave goes back"
        case (.away, _): return "the connection to \(name) is broken; it comes back by itself"
        case (.here, .won) where table.game.winner == table.mark: return "you have won"
        case (.here, .won): return "\(name) has won; /new begins another game"
        case (.here, .drawn): return "nobody has won; /new begins another game"
        case (.here, _): return table.isMyTurn ? "it is your turn" : "\(name) is thinking"
        }
    }

    private static func shown(_ text: String, _ limit: Int) -> String { "\(PrintableText(text, limit: limit))" }

    /// A picture in a window that may be small: what is empty goes first, then what is last. It has as many lines however much they say.
    static func fitting(_ lines: [String], into height: Int, _ width: Int) -> [String] {
        let count = min(height, lines.count)
        var kept = lines
        let isBlank = { (line: String) in line.allSatisfy(\.isWhitespace) }
        while kept.count > count, let place = kept.lastIndex(where: isBlank) { kept.remove(at: place) }
        return kept.prefix(count).map { String($0.prefix(width)) }
    }

    private static func fitted(_ lines: [String]) -> [String] {
        let cut = lines.prefix(height).map { String($0.prefix(width)) }
        return cut + Array(repeating: "", count: height - cut.count)
    }
}
