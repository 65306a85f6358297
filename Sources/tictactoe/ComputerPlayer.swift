import GameState

/// A simple opponent: it wins where it can, keeps the other from winning, and else takes the middle, a corner, or a side.
struct ComputerPlayer {
    /// Where it moves; nil where it can't.
    static func move(in game: TicTacToe) -> Int? {
        let free = game.freeSquares
        if let winning = free.first(where: { wins(game, game.turn, at: $0) }) { return winning }
        if let saving = free.first(where: { wins(game, game.turn.opposite, at: $0) }) { return saving }
        return [4, 0, 2, 6, 8, 1, 3, 5, 7].first(where: free.contains)
    }

    private static func wins(_ game: TicTacToe, _ mark: TicTacToe.Mark, at square: Int) -> Bool {
        var tried = game
        tried.grid[square] = mark
        return tried.winners.contains(mark)
    }
}
