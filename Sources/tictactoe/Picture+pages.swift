import GameState
import Vocabulary

/// The pages. Text of other players is shown as text only.
extension Picture {
    /// A game with its messages.
    init(of table: Table) {
        let name = Self.name(table.opponentName)
        lines = [Line(text: "  Tic-tac-toe against \(name); you are \(Self.symbol(table.mark))", rank: .title), .space]
        lines += Self.grid(table.game)
        lines += [.space, Self.situation(table, name), Self.notice(table.notice), .space]
        lines += table.chat.dropLast().map { Line(text: Self.said($0), rank: .older) }
        lines += table.chat.suffix(1).map { Line(text: Self.said($0), rank: .latest) }
        lines += [.space, Line(text: "  1–9 moves, or chat, or /help", rank: .hint)]
    }

    /// The list of players, and a question.
    init(of lobby: Lobby) {
        lines = [Line(text: "  Tic-tac-toe: \(Self.name(lobby.name))", rank: .title), .space]
        if let asking = lobby.asking {
            let name = Self.sentence(asking).shortened(to: 36, keeping: Line.listEnd)
            let question = "  \(name) wants to play. y (yes), n (no), or b (block)?"
            lines += [Line(text: question, rank: .essential), .space]
        }
        let people = lobby.people.sorted { $0.key < $1.key }
        let isEmpty = people.isEmpty
        lines += [Line(text: isEmpty ? "  No player is visible yet." : "  Players:", rank: .title), .space]
        lines += people.map { Line(text: "   \($0.key)  \(Self.sentence($0.value))", rank: .list) }
        lines += [.space, Self.notice(lobby.notice)]
        let hint = "  \(isEmpty ? "c plays against the" : "numbers invite, c") computer, s scores, q quits"
        lines += lobby.asking == nil ? [.space, Line(text: hint, rank: .hint)] : []
    }

    /// The scores.
    init(of scores: HighScores) {
        let rows = scores.entries.prefix(15).map { "  \(Self.name($0.name)): \($0.score)" }
        let title = rows.isEmpty ? "  No player has won on this machine yet." : "  Victories"
        self.init(page: [Line(text: title, rank: .title), .space] + rows.map { Line(text: $0, rank: .list) })
    }

    /// The commands of a game.
    static let help = Picture(
        page: [
            "  1 to 9         moves there", "  any text       is chat", "  /new           another game",
            "  /save NAME     keeps it", "  /replace NAME  saves over it", "  /load NAME     restores it",
            "  /scores        who has won", "  /leave         to the others", "  /quit          ends",
        ].map { Line(text: $0, rank: .list) }
    )

    private init(page: [Line]) {
        lines = page + [.space, Line(text: "  Enter goes back", rank: .title)]
    }

    private static func grid(_ game: TicTacToe) -> [Line] {
        let rows = (0..<3).map { row in
            (0..<3).map { column in
                let square = row * 3 + column
                return " \(game.grid[square] == .blank ? "\(square + 1)" : symbol(game.grid[square])) "
            }.joined(separator: "│")
        }
        let texts = [rows[0], "───┼───┼───", rows[1], "───┼───┼───", rows[2]]
        return texts.map { Line(text: "        \($0)", rank: .essential, look: .grid) }
    }

    private static func symbol(_ mark: TicTacToe.Mark) -> String { mark.symbol.rawValue }

    private static func situation(_ table: Table, _ name: String) -> Line {
        var look = Look.plain
        let text: String
        switch (table.connection, table.game.phase) {
        case (.gone, _): text = "\(name) has gone: Enter invites, /leave goes back"
        case (.away, _): text = "the connection to \(name) is broken; it comes back by itself"
        case (.here, .won) where table.game.winner == table.mark:
            (text, look) = ("you have won; /new begins another game", .loud)
        case (.here, .won): text = "\(name) has won; /new begins another game"
        case (.here, .drawn): text = "the game is a draw; /new begins another game"
        case (.here, _) where table.isMyTurn: (text, look) = ("it is your turn, \(symbol(table.mark))", .loud)
        case (.here, _): text = "\(name) is thinking"
        }
        return Line(text: "  \(text)", rank: .essential, look: look)
    }

    private static func notice(_ text: String) -> Line {
        text.isEmpty ? .space : Line(text: "  \(sentence(text))", rank: .notice)
    }

    /// A peer's name, distinguishable from others.
    private static func name(_ text: String) -> String { "\(PrintableText(text))".shortened(to: 24) }

    /// A message of the program. It may contain an escaped peer name, followed by its fingerprint.
    private static func sentence(_ text: String) -> String { "\(PrintableText(prose: text, limit: 600))" }

    private static func said(_ text: String) -> String { "  \(PrintableText(prose: text, limit: 300))" }
}
