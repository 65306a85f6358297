import Foundation
import GameState
import MultipeerConnectivity
import SecureArchive
import Vocabulary

/// What the two programs say to each other, as JSON that the house's own reader reads.
enum Word: Equatable {
    /// The game as it stands after a move, a restore or a new beginning, in the exact form of a saved game.
    case game(TicTacToe)
    /// A line of chat.
    case chat(String)
    /// Both begin anew.
    case again

    /// How much of a line of chat is kept.
    static let chatLimit = 200

    private struct Spelt: Codable {
        var word: String
        var text: String
    }

    /// Nil for anything that the rules don't allow.
    init?(_ data: Data) {
        guard data.count <= 4096, let spelt = try? MCObjects.decode(Spelt.self, from: data) else { return nil }
        switch spelt.word {
        case "game":
            guard let game = SavedGames.game(in: Array(spelt.text.utf8)) else { return nil }
            self = .game(game)
        case "chat": self = .chat(String(spelt.text.prefix(Self.chatLimit)))
        case "again": self = .again
        default: return nil
        }
    }

    var data: Data {
        get throws {
            let spelt =
                switch self {
                case .game(let game):
                    Spelt(word: "game", text: String(decoding: try SavedGames.bytes(of: game), as: UTF8.self))
                case .chat(let text): Spelt(word: "chat", text: String(text.prefix(Self.chatLimit)))
                case .again: Spelt(word: "again", text: "")
                }
            return try MCObjects.encode(spelt)
        }
    }
}
