import GameState

extension TicTacToe {
    /// A game in which X moves first.
    static var begun: TicTacToe {
        var game = TicTacToe()
        game.phase = .active
        game.currentSymbol = .x
        return game
    }

    /// The mark to move; blank if the game is over.
    var turn: Mark {
        guard phase == .active else { return .blank }
        return currentSymbol == .o ? .o : .x
    }

    /// The free squares.
    var freeSquares: [Int] { phase == .active ? grid.indices.filter { grid[$0] == .blank } : [] }

    /// The winner of a finished game.
    var winner: Mark? { phase == .won ? winners.first : nil }

    /// Takes a square for the mark to move. Returns true if that was allowed.
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
    /// The other mark.
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
