import GameState
import SecureArchive

/// What a save can be written in: an archive, or a database of high scores.
enum SaveFormat: Hashable, Sendable {
    case archive(ArchiveFormat)
    case scores

    static let names = ArchiveFormat.allCases.map(\.name) + [scores.name]

    init?(name: String) {
        if name == Self.scores.name {
            self = .scores
        } else if let format = ArchiveFormat(name: name) {
            self = .archive(format)
        } else {
            return nil
        }
    }

    /// As it is typed, and as programs are told.
    var name: String {
        switch self {
        case .archive(let format): format.name
        case .scores: "sqlite"
        }
    }

    /// As a person reads it.
    var words: String {
        switch self {
        case .archive(let format): format.words
        case .scores: "an SQLite database of high scores"
        }
    }
}
