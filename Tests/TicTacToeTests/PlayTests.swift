import Foundation
import GameState
import LinuxPlatform
import SecureArchive
import TestSupport
import Testing

@testable import tictactoe

@Suite("Game rules")
struct PlayTests {
    private func played(_ squares: [Int]) -> TicTacToe {
        var game = TicTacToe.begun
        for square in squares { _ = game.move(to: square) }
        return game
    }

    @Test("A game is won with three in a row, drawn when the grid is full, and then over")
    func ends() {
        var won = played([0, 3, 1, 4, 2])
        #expect(won.phase == .won && won.winner == .x && won.impossibilities.isEmpty)
        let isLate = won.move(to: 8)
        #expect(!isLate)
        let drawn = played([0, 1, 2, 4, 3, 5, 7, 6, 8])
        #expect(drawn.phase == .drawn && drawn.winner == nil && drawn.impossibilities.isEmpty)
        var open = played([0])
        let (isTaken, isOutside) = (open.move(to: 0), open.move(to: 9))
        #expect(open.turn == .o && !isTaken && !isOutside)
    }

    @Test("Every possible game can be stored and read")
    func allGames() throws {
        var seen: Set<[Int]> = []
        func go(_ game: TicTacToe) throws {
            guard seen.insert(game.grid.map(\.rawValue) + [game.phase.rawValue]).inserted else { return }
            #expect(SavedGames.game(in: try SavedGames.bytes(of: game)) == game)
            for square in game.freeSquares {
                var next = game
                let isAllowed = next.move(to: square)
                #expect(isAllowed)
                try go(next)
            }
        }
        try go(.begun)
        #expect(seen.count == 5478)
    }

    @Test("The computer makes valid moves, wins if it can, and prevents a victory")
    func computer() {
        #expect(ComputerPlayer.move(in: played([0, 3, 1, 4])) == 2)
        #expect(ComputerPlayer.move(in: played([0, 4, 1])) == 2)
        #expect(ComputerPlayer.move(in: .begun) == 4)
        #expect(ComputerPlayer.move(in: played([0, 3, 1, 4, 2])) == nil)
    }

    @Test("The computer never loses, whichever side starts", arguments: [true, false])
    func unbeaten(userBegins: Bool) {
        var games = 0
        func go(_ game: TicTacToe, isUsersTurn: Bool) {
            guard game.phase == .active else {
                games += 1
                let person: TicTacToe.Mark = userBegins ? .x : .o
                return #expect(game.winner != person)
            }
            for square in isUsersTurn ? game.freeSquares : [ComputerPlayer.move(in: game) ?? -1] {
                var next = game
                let isAllowed = next.move(to: square)
                #expect(isAllowed)
                if isAllowed { go(next, isUsersTurn: !isUsersTurn) }
            }
        }
        go(.begun, isUsersTurn: userBegins)
        #expect(games > 50)
    }

    @Test("A game is stored in the exact form of the model and read back; other data is refused")
    func format() throws {
        let text = String(decoding: try SavedGames.bytes(of: played([0, 2, 4])), as: UTF8.self)
        let expected =
            #"{"TTTGameKeyCurrentPlayer":1,"TTTGameKeyState":0,"TTTGameKeyGridState":"1, 0, 2, 0, 1, 0, 0, 0, 0","TTTGameKeyCurrentSymbol":"O","TTTGameKeyPlaycount":3}"#
        #expect(text.filter { !$0.isWhitespace } == expected.filter { !$0.isWhitespace })
        #expect(SavedGames.game(in: Array("{}".utf8)) == nil)
        let unfair = text.replacing("Symbol\": \"O", with: "Symbol\": \"X")
        #expect(unfair != text && SavedGames.game(in: Array(unfair.utf8)) == nil)
        let wrong = text.replacing("Playcount\": 3", with: "Playcount\": 4")
        #expect(wrong != text && SavedGames.game(in: Array(wrong.utf8)) == nil)
    }
}
