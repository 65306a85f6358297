import SecureArchive

extension TicTacToe: SavedGame {
    static let game = "tic-tac-toe"

    static func isSave(_ state: GameState) -> Bool {
        state.contains("TTTGameKeyState") || state.contains("TTTGameKeyGridState")
    }

    /// Two moves from one position can't be merged.
    static let rules = MergeRules("merge . = ask")

    var summary: [Summary.Line] {
        let words =
            switch phase {
            case .inactive: "not begun"
            case .active: currentSymbol == .none ? "under way" : "under way, \(currentSymbol.rawValue) moves"
            case .won: winners == [.x] ? "X has won" : winners == [.o] ? "O has won" : "won"
            case .drawn: "drawn"
            }
        var lines = [
            Summary.Line("state", words, .string(words)),
            Summary.Line("moves", "\(playCount)", .integer(ArchiveInteger(playCount))),
            Summary.Line("grid", rows, .string(rows)),
        ]
        lines += impossibilities.map { Summary.Line("impossible", $0.detail, .string($0.detail)) }
        return lines
    }

    /// The rows of the board: two boards after as many moves differ only there.
    private var rows: String {
        let signs = grid.map { mark in
            switch mark {
            case .blank: "."
            case .x: "X"
            case .o: "O"
            }
        }
        return stride(from: 0, to: signs.count, by: 3).map { signs[$0..<min($0 + 3, signs.count)].joined() }
            .joined(separator: " ")
    }
}
