import Foundation
import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// Where games and scores are kept, and how: games as the JSON of the model, scores as a property list.
struct SavedGames {
    /// The folder's path.
    let folder: String

    private static let sizeLimit = 64 << 10

    /// Nil for what is no game that could have come about.
    static func game(in bytes: [UInt8]) -> TicTacToe? {
        guard let state = try? GameState(reading: bytes, as: .json) else { return nil }
        guard let game = try? TicTacToe(reading: state.root), game.phase != .inactive else { return nil }
        // Whose turn it is has to fit what stands there, or it could not go on.
        let (crosses, noughts) = (game.grid.count { $0 == .x }, game.grid.count { $0 == .o })
        let isFair = game.phase != .active || crosses == noughts || game.turn == (crosses < noughts ? .x : .o)
        return isFair ? game : nil
    }

    static func bytes(of game: TicTacToe) throws -> [UInt8] {
        try GameState(game.tree()).write(as: .json)
    }

    /// Keeps a game under a name.
    func save(_ game: TicTacToe, as name: String) throws {
        try write(Self.bytes(of: game), to: Self.fileName(name, Self.ending))
    }

    /// The game that was kept under a name; nil where there is none.
    func game(named name: String) throws -> TicTacToe? {
        guard let bytes = try read(Self.fileName(name, Self.ending)) else { return nil }
        guard let game = Self.game(in: bytes) else { throw Damaged(name: name) }
        return game
    }

    private static let ending = ".json"

    /// What is kept under a name is no game, or none that could have come about.
    struct Damaged: Error, CustomStringConvertible {
        let name: String
        var description: String {
            "“\(PrintableText(name, limit: 30))” is damaged, or no game; it was left as it is"
        }
    }

    /// The names of the games that are kept, for people.
    var list: String {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        let names = files.filter { $0.hasSuffix(Self.ending) }.map { String($0.dropLast(Self.ending.count)) }
        return names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
    }

    private static func fileName(_ name: String, _ ending: String) throws -> FileName {
        do throws(FileName.Refusal) {
            return try FileName(name + ending)
        } catch {
            throw Unnameable(name: name)
        }
    }

    /// What was typed can't be the name of a file.
    struct Unnameable: Error, CustomStringConvertible {
        let name: String
        var description: String {
            "“\(PrintableText(name, limit: 30))” can't be a name: no slashes, no control characters"
        }
    }

    // MARK: Scores

    /// The best of each, the best first.
    func scores() throws -> HighScores {
        guard let bytes = try read(Self.scoreFile) else { return HighScores() }
        return try HighScores(reading: GameState(reading: bytes).root)
    }

    /// Counts a victory, and answers how many there are now.
    func countVictory(of name: String) throws -> Int {
        var scores = try scores()
        var wins = 1
        if let known = scores.entries.first(where: { $0.name == name }), case .whole(let before) = known.score {
            wins += Int(before)
        }
        scores.record(name, .whole(Int64(wins)))
        try write(try GameState(scores.tree()).write(as: .xmlPropertyList), to: Self.scoreFile)
        return wins
    }

    private static let scoreFile: FileName = {
        guard let name = try? FileName("scores.plist") else { preconditionFailure("the name is a file's") }
        return name
    }()

    // MARK: Files

    private func read(_ name: FileName) throws -> [UInt8]? {
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name.text)") else { return nil }
        return try AtomicFile(name).read(in: Folder(at: folder), limit: Self.sizeLimit)
    }

    private func write(_ bytes: [UInt8], to name: FileName) throws {
        try FileManager.default.createDirectory(
            atPath: folder,
            withIntermediateDirectories: true,
            attributes: [.posixPermissions: FileMode.privateFolder.rawValue]
        )
        try AtomicFile(name).write(bytes, in: Folder(at: folder), overwriting: .allowed)
    }
}
