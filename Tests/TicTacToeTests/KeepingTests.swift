import Foundation
import GameState
import LinuxPlatform
import TestSupport
import Testing

@testable import tictactoe

@Suite("Stored games")
struct KeepingTests {
    private let temporary = TemporaryFolder()
    private var folder: GameFolder { GameFolder(path: temporary.path(of: "deep/er")) }
    private var games: SavedGames { SavedGames(folder: folder) }

    private func path(of name: String) -> String { "\(folder.path)/\(name)" }

    private var played: TicTacToe {
        var game = TicTacToe.begun
        _ = game.move(to: 4)
        return game
    }

    /// The sentence of an error for a person.
    private func complaint(_ work: () throws -> some Any) -> String {
        do {
            _ = try work()
            return "nothing was wrong"
        } catch {
            return "\(error)"
        }
    }

    @Test("Games and victories are stored, and invalid names are refused")
    func keeping() throws {
        #expect(try games.game(named: "none") == nil)
        #expect(games.list == "none")
        #expect(try games.save(played, as: "evening"))
        #expect(try games.game(named: "evening") == played)
        #expect(games.list == "evening")
        for text in ["", "{", #"{"TTTGameKeyState": 7}"#, "\u{0}", "[[[[[["] {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path(of: "broken.json")))
            #expect(throws: SavedGames.Damaged.self) { try games.game(named: "broken") }
        }
        try Data([0x7B, 0xFF, 0xFE]).write(to: URL(fileURLWithPath: path(of: "broken.json")))
        #expect(throws: SavedGames.Damaged.self) { try games.game(named: "broken") }
        #expect(throws: SavedGames.Unnameable.self) { try games.save(played, as: "../x") }
        #expect(try games.scores().entries.isEmpty)
        #expect(try games.countVictory(of: "Ann") == 1)
        #expect(try games.countVictory(of: "Ann") == 2)
        #expect(try games.countVictory(of: "Ben") == 1)
        #expect(try games.scores().entries.map(\.name) == ["Ann", "Ben"])
    }

    @Test("A stored game is only replaced on request")
    func replacing() throws {
        #expect(try games.save(played, as: "evening"))
        #expect(try !games.save(.begun, as: "evening"))
        #expect(try games.game(named: "evening") == played)
        #expect(try games.save(.begun, as: "evening", replacing: true))
        #expect(try games.game(named: "evening") == .begun)
        #expect(games.list == "evening")
    }

    @Test("A file that is no game is refused at once, and stays unchanged")
    func odd() throws {
        #expect(try games.save(played, as: "evening"))
        try FileManager.default.createDirectory(atPath: path(of: "folder.json"), withIntermediateDirectories: false)
        #expect(mkfifo(path(of: "pipe.json"), 0o600) == 0)
        for (name, target) in [("zero.json", "/dev/zero"), ("link.json", "evening.json")] {
            try FileManager.default.createSymbolicLink(atPath: path(of: name), withDestinationPath: target)
        }
        try Data().write(to: URL(fileURLWithPath: path(of: "large.json")))
        #expect(truncate(path(of: "large.json"), 1 << 30) == 0)
        let sentences = [
            "folder": "is not a file: choose another name", "pipe": "is not a file: choose another name",
            "zero": "is a link, and links are not followed: put the file itself there",
            "link": "is a link, and links are not followed: put the file itself there",
            "large": "is too large to be one of the game's: choose another name",
        ]
        for (name, sentence) in sentences {
            #expect(complaint { try games.game(named: name) } == "“\(name).json” \(sentence)")
            #expect(try !games.save(played, as: name))
        }
        let replaced = complaint { try games.save(played, as: "folder", replacing: true) }
        #expect(replaced == "“folder.json” is not a file: choose another name")
    }

    @Test("Damaged scores are reported, and neither changed nor lost")
    func damagedScores() throws {
        #expect(try games.countVictory(of: "Ann") == 1)
        try Data("oops".utf8).write(to: URL(fileURLWithPath: path(of: "scores.plist")))
        for sentence in [complaint { try games.scores() }, complaint { try games.countVictory(of: "Ann") }] {
            #expect(sentence == "scores.plist is damaged: move it away to begin another")
        }
        #expect(try String(contentsOfFile: path(of: "scores.plist"), encoding: .utf8) == "oops")
    }

    @Test("A long list of games is shortened, and tells the number of the others")
    func longList() throws {
        for number in 10..<30 { #expect(try games.save(played, as: "game \(number)")) }
        #expect(games.list.hasPrefix("game 10, game 11, ") && games.list.hasSuffix("game 17 and 12 more"))
    }

    @Test("A folder is used by one program at a time, and by the next after its end")
    func taken() throws {
        do {
            let lock = try folder.taken()
            let sentence = complaint { _ = try folder.taken() }
            #expect(sentence.hasPrefix("another program plays with the folder “\(folder.path)” already: end that game"))
            _ = consume lock
        }
        _ = try folder.taken()
    }

    @Test("An existing log does not prevent a new one")
    func log() throws {
        for _ in 0..<2 {
            let log = try folder.log()
            #expect(try log.facts().size == 0)
            #expect(write(log.number, "oops", 4) == 4)
        }
        #expect(try String(contentsOfFile: path(of: "errors.log"), encoding: .utf8) == "oops")
    }

    @Test("A file in place of the folder is reported")
    func noFolder() throws {
        try Data().write(to: URL(fileURLWithPath: temporary.path(of: "file")))
        let sentence = complaint { _ = try GameFolder(path: temporary.path(of: "file")).taken() }
        #expect(sentence.hasSuffix("file” is not a folder: choose another with --folder"))
    }
}
