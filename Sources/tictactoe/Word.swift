import Foundation
import GameState
import MultipeerConnectivity
import SecureArchive
import Vocabulary

/// Messages between the two programs, as JSON for this project's own reader.
enum Word: Equatable {
    /// The state of the game, and its cause.
    case game(Standing, Standing.Cause)
    /// A line of chat.
    case chat(String)

    var isGame: Bool { if case .game = self { true } else { false } }

    /// Maximum length of a line of chat.
    static let chatLimit = 200

    private struct Spelt: Codable {
        var word: String
        var text: String
        var round: Int?
        var swapped: Bool?
    }

    /// Nil for a message that breaks the rules.
    init?(_ data: Data) {
        guard data.count <= 4096, let spelt = try? MCObjects.decode(Spelt.self, from: data) else { return nil }
        if spelt.word == "chat" {
            self = .chat(String(spelt.text.prefix(Self.chatLimit)))
            return
        }
        guard let cause = Standing.Cause(rawValue: spelt.word), let round = spelt.round, let swapped = spelt.swapped,
            Standing.rounds.contains(round), let game = SavedGames.game(in: Array(spelt.text.utf8))
        else { return nil }
        self = .game(Standing(round: round, isSwapped: swapped, game: game), cause)
    }

    var data: Data {
        get throws {
            let spelt =
                switch self {
                case .game(let standing, let cause):
                    Spelt(
                        word: cause.rawValue,
                        text: String(decoding: try SavedGames.bytes(of: standing.game), as: UTF8.self),
                        round: standing.round,
                        swapped: standing.isSwapped
                    )
                case .chat(let text): Spelt(word: "chat", text: String(text.prefix(Self.chatLimit)))
                }
            return try MCObjects.encode(spelt)
        }
    }
}
