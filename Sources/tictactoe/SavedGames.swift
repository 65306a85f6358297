import GameState
import LinuxPlatform
import SecureArchive
import Vocabulary

/// Stores games as JSON of the model, and scores as a property list.
struct SavedGames {
    let folder: GameFolder

    /// Nil for an impossible game.
    static func game(in bytes: [UInt8]) -> TicTacToe? {
        guard let state = try? GameState(reading: bytes, as: .json) else { return nil }
        guard let game = try? TicTacToe(reading: state.root), game.phase != .inactive else { return nil }
        // The turn must match the grid, or the game could not continue.
        let (crosses, noughts) = (game.grid.count { $0 == .x }, game.grid.count { $0 == .o })
        let isFair = game.phase != .active || crosses == noughts || game.turn == (crosses < noughts ? .x : .o)
        return isFair ? game : nil
    }

    static func bytes(of game: TicTacToe) throws -> [UInt8] {
        try GameState(game.tree()).write(as: .json)
    }

    /// Stores a game under a name. Returns false if the name is taken and must not be replaced.
    func save(_ game: TicTacToe, as name: String, replacing: Bool = false) throws -> Bool {
        let overwriting: Folder.Overwriting = replacing ? .allowed : .forbidden
        return try folder.write(Self.bytes(of: game), to: Self.fileName(name), overwriting: overwriting)
    }

    /// The game with this name; nil if there is none.
    func game(named name: String) throws -> TicTacToe? {
        guard let bytes = try folder.read(Self.fileName(name)) else { return nil }
        guard let game = Self.game(in: bytes) else { throw Damaged(name: name) }
        return game
    }

    private static let ending = ".json"

    /// An error: the file is no game, or an impossible one.
    struct Damaged: Error, CustomStringConvertible {
        let name: String
        var description: String {
            "“\(PrintableText(name, limit: 30))” is damaged, or no game, and was left as it is: choose another name"
        }
    }

    /// The names of the stored games, for the user.
    var list: String {
        let files = folder.fileNames.filter { $0.hasSuffix(Self.ending) }.sorted()
        guard !files.isEmpty else { return "none" }
        let names = files.prefix(Self.listLimit).map { String($0.dropLast(Self.ending.count)) }
        let rest = files.count - names.count
        return names.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    /// Maximum number of listed names.
    private static let listLimit = 8

    private static func fileName(_ name: String) throws -> FileName {
        do throws(FileName.Refusal) {
            return try FileName(name + ending)
        } catch {
            throw Unnameable(name: name)
        }
    }

    /// An error: the input can't be a file name.
    struct Unnameable: Error, CustomStringConvertible {
        let name: String
        var description: String {
            "“\(PrintableText(name, limit: 30))” can't be a name: no slashes, no control characters"
        }
    }

    // MARK: Scores

    /// The scores, the best first.
    func scores() throws -> HighScores {
        guard let bytes = try folder.read(Self.scoreFile) else { return HighScores() }
        guard let scores = try? HighScores(reading: GameState(reading: bytes).root) else {
            throw GameFolder.Trouble("scores.plist is damaged", "move it away to begin another")
        }
        return scores
    }

    /// Counts a victory, and returns the new number.
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
