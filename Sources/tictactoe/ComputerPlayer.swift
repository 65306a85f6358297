import GameState

/// An opponent that does not lose: it looks at all that may follow, and of what is as good takes the middle, a corner, or a side.
struct ComputerPlayer {
    /// Where it moves; nil where it can't.
    static func move(in game: TicTacToe) -> Int? {
        let choices = order.filter(game.freeSquares.contains)
        // Nothing is better than the middle, and all that may follow an empty grid is a lot.
        guard choices.count < order.count else { return choices.first }
        return choices.max { value(of: $0, in: game) < value(of: $1, in: game) }
    }

    private static let order = [4, 0, 2, 6, 8, 1, 3, 5, 7]
    /// More than any end is worth.
    private static let bound = 10

    private static func value(of square: Int, in game: TicTacToe) -> Int {
        -value(after: square, in: game, between: -bound, and: bound)
    }

    /// What the position after a move is worth to whose turn it is then: an end that comes sooner counts for more.
    ///
    /// - Parameters:
    ///   - low: what that one has for certain elsewhere
    ///   - high: from which on the other one would not have moved there
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
