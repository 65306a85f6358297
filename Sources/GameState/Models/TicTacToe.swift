import SecureArchive

/// A game of tic-tac-toe as JSON has it.
public struct TicTacToe: StateModel {
    /// The player whose turn it is.
    public enum Player: Int, CaseIterable, Sendable {
        case first = 0
        case second = 1
    }

    /// The progress of the game.
    public enum Phase: Int, CaseIterable, Sendable {
        case inactive = -1
        case active = 0
        case won = 1
        case drawn = 2
    }

    /// The content of a square.
    public enum Mark: Int, CaseIterable, Sendable {
        case blank = 0
        case x = 1
        case o = 2
    }

    /// The symbol of the player whose turn it is.
    public enum Symbol: String, CaseIterable, Sendable {
        case x = "X"
        case o = "O"
        case none = ""
    }

    /// The player whose turn it is.
    public var currentPlayer = Player.first
    /// The progress of the game.
    public var phase = Phase.inactive
    /// Nine squares, row by row.
    public var grid = [Mark](repeating: .blank, count: 9)
    /// The symbol of the player whose turn it is.
    public var currentSymbol = Symbol.none
    /// The count of moves.
    public var playCount = 0

    /// A game that has not begun.
    public init() {}

    /// The game's keys, each required.
    public static let table = FieldTable<TicTacToe>([
        .required("TTTGameKeyCurrentPlayer", \.currentPlayer, .choice()),
        .required("TTTGameKeyState", \.phase, .choice()),
        .required("TTTGameKeyGridState", \.grid, .grid),
        .required("TTTGameKeyCurrentSymbol", \.currentSymbol, .choice()),
        .required("TTTGameKeyPlaycount", \.playCount, .integer),
    ])
}

extension TicTacToe {
    /// Rows, columns and diagonals.
    private static let lines = [
        [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
    ]

    /// The marks with three in a row; two only in an impossible game.
    public var winners: Set<Mark> {
        var winners: Set<Mark> = []
        for line in Self.lines where grid.count == 9 {
            let marks = Set(line.map { grid[$0] })
            if let mark = marks.first, marks.count == 1, mark != .blank { winners.insert(mark) }
        }
        return winners
    }

    /// Positions that two players in turn can't reach. Either player may begin.
    public var impossibilities: [StateError] {
        var found: [StateError] = []
        func note(_ detail: String, _ path: StatePath) { found.append(StateError(.impossible, detail, at: path)) }
        let (x, o) = (grid.count { $0 == .x }, grid.count { $0 == .o })
        if abs(x - o) > 1 { note("there are \(x) X and \(o) O, but the players take turns", "TTTGameKeyGridState") }
        if playCount != x + o {
            note("\(playCount) moves were counted and \(x + o) marks are on the grid", "TTTGameKeyPlaycount")
        }
        let winners = winners
        if winners.count > 1 { note("both have three in a row", "TTTGameKeyGridState") }
        switch phase {
        case .won where winners.isEmpty: note("the game is won, but no player has three in a row", "TTTGameKeyState")
        case .won where winners == [.x] && x < o || winners == [.o] && o < x:
            note("the player with three in a row did not move last", "TTTGameKeyGridState")
        case .drawn where !winners.isEmpty:
            note("the game is drawn, but a player has three in a row", "TTTGameKeyState")
        case .drawn where x + o < 9: note("the game is drawn and \(9 - x - o) squares are free", "TTTGameKeyState")
        case .active where !winners.isEmpty:
            note("the game goes on, but a player has three in a row", "TTTGameKeyState")
        case .active where x + o == 9: note("the game goes on and no square is free", "TTTGameKeyState")
        default: break
        }
        return found
    }
}

extension FieldForm where Value == [TicTacToe.Mark] {
    /// Nine numbers in one string.
    fileprivate static var grid: FieldForm {
        let numbers = FieldForm<[Int]>.numbers(separatedBy: ", ", atMost: 9)
        return FieldForm { value, reading in
            guard let found = numbers.read(value, &reading) else { return nil }
            guard found.count == 9 else {
                reading.fault(.impossible, "a grid has nine squares, not \(found.count)")
                return nil
            }
            let marks = found.compactMap(TicTacToe.Mark.init)
            guard marks.count == 9 else {
                reading.fault(.impossible, "a square holds 0, 1 or 2")
                return nil
            }
            return marks
        } writeOver: { marks, style, original in
            numbers.write(marks.map(\.rawValue), style, original)
        }
    }
}
