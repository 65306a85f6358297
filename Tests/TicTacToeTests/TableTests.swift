import Foundation
import GameState
import MultipeerConnectivity
import Testing

@testable import tictactoe

@Suite("Game between two")
struct TableTests {
    /// Two tables that exchange their words.
    private struct Both {
        var ann = Table(against: .person("Ben"), as: .x)
        var ben = Table(against: .person("Ann"), as: .o)

        mutating func ann(_ act: (inout Table) -> [Word]) throws {
            for word in act(&ann) { ben.hear(try #require(Word(try word.data))) }
        }

        mutating func ben(_ act: (inout Table) -> [Word]) throws {
            for word in act(&ben) { ann.hear(try #require(Word(try word.data))) }
        }
    }

    @Test("Moves, chat, restored and new games are the same on both sides")
    func together() throws {
        var both = Both()
        try both.ann { $0.move(to: 1) }
        try both.ann { $0.move(to: 2) }
        #expect(both.ann.notice == "wait for Ben's move" && both.ben.notice.isEmpty)
        try both.ben { $0.move(to: 1) }
        #expect(both.ben.notice == "that square is taken")
        try both.ben { $0.move(to: 5) }
        try both.ben { $0.say("well?") }
        #expect(both.ann.chat == ["Ben: well?"] && both.ben.chat == ["you: well?"])
        let kept = both.ann.game
        for (square, isAnn) in [(2, true), (9, false), (3, true)] {
            if isAnn { try both.ann { $0.move(to: square) } } else { try both.ben { $0.move(to: square) } }
        }
        #expect(both.ann.hasWon && !both.ben.hasWon && both.ann.game == both.ben.game)
        try both.ben { $0.restore(kept) }
        #expect(both.ann.game == kept && both.ann.notice == "Ben restored a game; you are X")
        try both.ann { $0.startFresh() }
        #expect(both.ann.mark == .o && both.ben.mark == .x && both.ben.isMyTurn)
    }

    @Test("The computer answers every move until the game is over")
    func computer() {
        var table = Table(against: .computer, as: .x)
        for _ in 0..<9 {
            guard let square = table.game.freeSquares.first, table.isMyTurn else { break }
            let words = table.move(to: square + 1)
            #expect(words.isEmpty)
        }
        #expect(table.game.phase == .won || table.game.phase == .drawn)
        _ = table.startFresh()
        #expect(table.mark == .o && table.game.playCount == 1)
    }

    @Test(
        "An invalid word is ignored",
        arguments: [
            "", "{}", #"{"word":"game","text":"x"}"#, "bplist00", #"{"word":"bye","text":""}"#,
            #"{"word":"again","text":""}"#, #"{"word":"move","text":"{}","round":0,"swapped":false}"#,
        ]
    )
    func noWords(text: String) {
        #expect(Word(Data(text.utf8)) == nil)
    }

    @Test("A long line of chat is cut, and a word that is too long is ignored")
    func long() throws {
        let long = String(repeating: "x", count: 1000)
        #expect(Word(try Word.chat(long).data) == .chat(String(long.prefix(Word.chatLimit))))
        #expect(Word(Data(count: 5000)) == nil)
    }

    @Test("A player that returns without data gets the game and its mark", arguments: [0, 1])
    func reminded(newGames: Int) throws {
        var both = Both()
        for _ in 0..<newGames { try both.ann { $0.startFresh() } }
        for square in [5, 1] {
            if both.ann.isMyTurn { try both.ann { $0.move(to: square) } } else { try both.ben { $0.move(to: square) } }
        }
        let before = both.ben
        both.ben = Table(against: .person("Ann"), as: .o)
        both.ann.connection = .gone
        try both.ann { $0.isBack() }
        #expect(both.ben.mark == before.mark && both.ben.game == before.game && both.ben.isMyTurn == before.isMyTurn)
    }

    @Test("Actions during a disconnection are sent after it, once and in order")
    func held() throws {
        var table = Table(against: .person("Ben"), as: .x)
        table.connection = .away
        let move = table.move(to: 5)
        #expect(table.due(move) == [])
        #expect(table.due(table.say("hello")) == [])
        #expect(table.isBack() == [])
        #expect(table.due([]) == move + [.chat("hello")])
        #expect(table.due([]) == [])
        // Words that the session refused are sent later, before all others.
        table.hold(move)
        #expect(table.due([.chat("again")]) == move + [.chat("again")])
    }

    @Test("A player that had left gets the state of the game without its cause")
    func heldInVain() throws {
        var table = Table(against: .person("Ben"), as: .x)
        table.connection = .gone
        #expect(table.due(table.move(to: 5)) == [])
        #expect(table.due(table.say("still there?")) == [])
        let reminder = table.isBack()
        #expect(reminder == [.game(Standing(game: table.game), .goesOn)])
        #expect(table.due(reminder) == reminder + [.chat("still there?")])
        table.connection = .away
        for number in 0..<1000 { #expect(table.due([.chat("\(number)")]) == []) }
        table.connection = .here
        let said = table.due([])
        #expect(said.count == 63 && said.last == .chat("999"))
    }

    /// Actions of both sides during a disconnection.
    enum Doing: String, CaseIterable {
        case move, again, load, againAndMove, loadAndMove, chat

        func words(_ table: inout Table) -> [Word] {
            func move(_ table: inout Table) -> [Word] {
                guard let square = table.game.freeSquares.first else { return [] }
                return table.move(to: square + 1)
            }
            var kept = TicTacToe.begun
            _ = kept.move(to: 8)
            switch self {
            case .move: return move(&table)
            case .again: return table.startFresh()
            case .load: return table.restore(kept)
            case .againAndMove: return table.startFresh() + move(&table)
            case .loadAndMove: return table.restore(kept) + move(&table)
            case .chat: return table.say("hello")
            }
        }
    }

    @Test("After any actions during a disconnection, both sides see one game, and it continues")
    func crossing() throws {
        for (hers, his) in Doing.allCases.flatMap({ hers in Doing.allCases.map { (hers, $0) } }) {
            for isGone in [false, true] {
                var both = Both()
                try both.ann { $0.move(to: 5) }
                let broken: Table.Connection = isGone ? .gone : .away
                (both.ann.connection, both.ben.connection) = (broken, broken)
                #expect(both.ann.due(hers.words(&both.ann)) == [] && both.ben.due(his.words(&both.ben)) == [])
                let toBen = both.ann.due(both.ann.isBack())
                let toAnn = both.ben.due(both.ben.isBack())
                for word in toBen { both.ben.hear(try #require(Word(try word.data))) }
                for word in toAnn { both.ann.hear(try #require(Word(try word.data))) }
                #expect(both.ann.game == both.ben.game && both.ann.mark == both.ben.mark.opposite, "\(hers) \(his)")
                #expect(both.ann.isMyTurn != both.ben.isMyTurn, "\(hers) \(his)")
            }
        }
    }

    @Test("A victory counts once, whichever side restores the game")
    func victories() throws {
        var both = Both()
        for square in [1, 4, 2, 5, 3] {
            if both.ann.isMyTurn { try both.ann { $0.move(to: square) } } else { try both.ben { $0.move(to: square) } }
        }
        #expect(both.ann.hasWon && !both.ben.hasWon)
        both.ann.victoryWasCounted()
        let won = both.ann.game
        try both.ben { $0.restore(won) }
        #expect(!both.ann.hasWon && !both.ben.hasWon)
        try both.ann { $0.restore(won) }
        try both.ben { $0.say("well played") }
        #expect(!both.ann.hasWon && !both.ben.hasWon)
    }

    @Test("A number that is no square is refused, and not sent to the other side")
    func noSquare() throws {
        var table = Table(against: .person("Ben"), as: .x)
        for number in [0, 10, 99, -1] {
            let words = table.move(to: number)
            #expect(words.isEmpty && table.notice == "squares go from 1 to 9")
        }
    }

    @Test("The command line is parsed, and unknown words are refused")
    func commandLine() throws {
        let request = try TicTacToeProgram.Request(["--name", "Ann", "--folder", "/x", "--computer"], [:])
        #expect(request.name == "Ann" && request.folder == "/x" && request.isAlone && !request.isHelp)
        #expect(throws: TicTacToeProgram.Misspelt.self) { try TicTacToeProgram.Request(["--nme"], [:]) }
        #expect(throws: TicTacToeProgram.Misspelt.self) { try TicTacToeProgram.Request(["--name"], [:]) }
        #expect(throws: TicTacToeProgram.Misspelt.self) { try TicTacToeProgram.Request(["--name", ""], [:]) }
    }
}
