import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// Where games and scores are kept, and how: games as the JSON of the model, scores as a property list.
struct SavedGames {
    let folder: GameFolder

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

    /// Keeps a game under a name. Answers false, and keeps nothing, where another has it and is not to be replaced.
    func save(_ game: TicTacToe, as name: String, replacing: Bool = false) throws -> Bool {
        let overwriting: Folder.Overwriting = replacing ? .allowed : .forbidden
        return try folder.write(Self.bytes(of: game), to: Self.fileName(name), overwriting: overwriting)
    }

    /// The game that was kept under a name; nil where there is none.
    func game(named name: String) throws -> TicTacToe? {
        guard let bytes = try folder.read(Self.fileName(name)) else { return nil }
        guard let game = Self.game(in: bytes) else { throw Damaged(name: name) }
        return game
    }

    private static let ending = ".json"

    /// What is kept under a name is no game, or none that could have come about.
    struct Damaged: Error, CustomStringConvertible {
        let name: String
        var description: String {
            "“\(PrintableText(name, limit: 30))” is damaged, or no game, and was left as it is: choose another name"
        }
    }

    /// The names of the games that are kept, for people.
    var list: String {
        let files = folder.fileNames.filter { $0.hasSuffix(Self.ending) }.sorted()
        guard !files.isEmpty else { return "none" }
        let names = files.prefix(Self.listLimit).map { String($0.dropLast(Self.ending.count)) }
        let rest = files.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// So many names are listed.
    private static let listLimit = 8

    private static func fileName(_ name: String) throws -> FileName {
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
        guard let bytes = try folder.read(Self.scoreFile) else { return HighScores() }
        guard let scores = try? HighScores(reading: GameState(reading: bytes).root) else {
            throw GameFolder.Trouble("scores.plist is damaged", "move it away to begin another")
        }
        return scores
    }

    /// Counts a victory, and answers how many there are now.
    func countVictory(of name: String) throws -> Int {
        var scores = try scores()
        var wins = 1
        if let known = scores.entries.first(where: { $0.name == name }), case .whole(let before) = known.score {
            wins += Int(before)
        }
        scores.record(name, .whole(Int64(wins)))
        let bytes = try GameState(scores.tree()).write(as: .xmlPropertyList)
        _ = try folder.write(bytes, to: Self.scoreFile)
        return wins
    }

    private static let scoreFile = GameFolder.name("scores.plist")
}
