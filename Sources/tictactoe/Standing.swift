import GameState

/// How a game between two stands. Of all that the two have said, whichever way it crossed, the greatest counts, so that both come to the same.
struct Standing: Equatable, Comparable {
    /// How it came to that.
    enum Cause: String, CaseIterable {
        case move
        case again
        case restored
        /// It stands so already, and is said to who may have lost it.
        case goesOn
    }

    /// How often another game was begun or restored since the two met.
    var round = 0
    /// Whether each plays what the other played when they met.
    var isSwapped = false
    var game = TicTacToe.begun

    static let rounds = 0...1_000_000

    /// A later round is greater, and in a round whoever has seen more moves. The rest only has to be the same on both sides.
    static func < (one: Standing, other: Standing) -> Bool {
        if (one.round, one.game.playCount) != (other.round, other.game.playCount) {
            return (one.round, one.game.playCount) < (other.round, other.game.playCount)
        }
        return one.rest.lexicographicallyPrecedes(other.rest)
    }

    /// All that makes two of them different, in any order that is the same on both sides.
    private var rest: [Int] {
        game.grid.map(\.rawValue) + [game.phase.rawValue, game.currentPlayer.rawValue, isSwapped ? 1 : 0]
            + game.currentSymbol.rawValue.utf8.map(Int.init)
    }
}
