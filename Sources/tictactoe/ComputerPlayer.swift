import GameState

/// An opponent that never loses: it searches all continuations, and among equal moves prefers the middle, a corner,
/// then a side.
struct ComputerPlayer {
    /// Its move; nil if it can't move.
    static func move(in game: TicTacToe) -> Int? {
        let choices = order.filter(game.freeSquares.contains)
        // The middle is the best move on an empty grid, and a full search from there is long.
        guard choices.count < order.count else { return choices.first }
        return choices.max { value(of: $0, in: game) < value(of: $1, in: game) }
    }

    private static let order = [4, 0, 2, 6, 8, 1, 3, 5, 7]
    /// More than the value of any end.
    private static let bound = 10

    private static func value(of square: Int, in game: TicTacToe) -> Int {
        -value(after: square, in: game, between: -bound, and: bound)
    }

    /// The value of a position for the player to move: an earlier end counts more.
    ///
    /// - Parameters:
    ///   - low: value that this player has elsewhere
    ///   - high: value from which the other player would not have moved there
    private static func value(after square: Int, in game: TicTacToe, between low: Int, and high: Int) -> Int {
        var next = game
        _ = next.move(to: square)
        switch next.phase {
        case .active: break
        case .won: return -(1 + next.grid.count { $0 == .blank })
        default: return 0
        }
        var best = low
        for answer in order where next.grid[answer] == .blank {
            best = max(best, -value(after: answer, in: next, between: -high, and: -best))
            if best >= high { break }
        }
        return best
    }
}
