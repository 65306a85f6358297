import GameState

extension TicTacToe {
    /// A game in which X moves first.
    static var begun: TicTacToe {
        var game = TicTacToe()
        game.phase = .active
        game.currentSymbol = .x
        return game
    }

    /// Whose turn it is; blank where the game is over.
    var turn: Mark {
        guard phase == .active else { return .blank }
        return currentSymbol == .o ? .o : .x
    }

    /// Where one can move.
    var freeSquares: [Int] { phase == .active ? grid.indices.filter { grid[$0] == .blank } : [] }

    /// Who has won, once the game is.
    var winner: Mark? { phase == .won ? winners.first : nil }

    /// The one whose turn it is takes a square. Answers whether that was allowed.
    mutating func move(to square: Int) -> Bool {
        guard freeSquares.contains(square) else { return false }
        let mark = turn
        grid[square] = mark
        playCount += 1
        if winners.contains(mark) {
            phase = .won
        } else if playCount == grid.count {
            phase = .drawn
        }
        currentPlayer = currentPlayer == .first ? .second : .first
        currentSymbol = phase == .active ? mark.opposite.symbol : .none
        return true
    }
}

extension TicTacToe.Mark {
    /// The other side.
    var opposite: TicTacToe.Mark {
        switch self {
        case .x: .o
        case .o: .x
        case .blank: .blank
        }
    }

    var symbol: TicTacToe.Symbol {
        switch self {
        case .x: .x
        case .o: .o
        case .blank: .none
        }
    }
}
