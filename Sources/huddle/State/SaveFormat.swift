import GameState
import SecureArchive

/// The format of a save: an archive, or a database of high scores.
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

    /// The name of the format that a file name suggests; nil if it suggests none.
    static func name(ofFile path: String) -> String? {
        let name = path.split(separator: "/").last ?? ""
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
        return switch name[name.index(after: dot)...].lowercased() {
        case "json": ArchiveFormat.json.name
        case "xml": ArchiveFormat.xml.name
        case "plist": ArchiveFormat.xmlPropertyList.name
        case "sqlite", "sqlite3", "db": scores.name
        default: nil
        }
    }

    /// The name in options and in JSON.
    var name: String {
        switch self {
        case .archive(let format): format.name
        case .scores: "sqlite"
        }
    }

    /// The name for the user.
    var words: String {
        switch self {
        case .archive(let format): format.words
        case .scores: "an SQLite database of high scores"
        }
    }
}
