import GameState

/// The state of a game between two. Of all states that both have sent, the greatest counts, so that both sides agree.
struct Standing: Equatable, Comparable {
    /// The cause of the state.
    enum Cause: String, CaseIterable {
        case move
        case again
        case restored
        /// An unchanged state, sent to a side that may have lost it.
        case goesOn
    }

    /// Number of games that were started or restored since the two connected.
    var round = 0
    /// True if the marks are swapped since the two connected.
    var isSwapped = false
    var game = TicTacToe.begun

    static let rounds = 0...1_000_000

    /// A later round is greater; within a round, more moves are. The remaining order must only be the same on both
    /// sides.
    static func < (one: Standing, other: Standing) -> Bool {
        if (one.round, one.game.playCount) != (other.round, other.game.playCount) {
            return (one.round, one.game.playCount) < (other.round, other.game.playCount)
        }
        return one.rest.lexicographicallyPrecedes(other.rest)
    }

    /// The remaining differences, in an order that is the same on both sides.
    private var rest: [Int] {
        game.grid.map(\.rawValue) + [game.phase.rawValue, game.currentPlayer.rawValue, isSwapped ? 1 : 0]
            + game.currentSymbol.rawValue.utf8.map(Int.init)
    }
}
