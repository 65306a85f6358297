import Digests
import SaveRules
import Vocabulary

/// The name of the staging folder: hidden, beside the game's folder, and only present during a change.
enum StagingName {
    private static let prefix = ".huddle-"
    private static let suffix = ".staging"

    /// Returns the name.
    /// - Parameter root: the path of the game's folder. It is part of the name, because one parent folder may have two
    ///   folders of one game, as with two daemons on one machine.
    static func of(_ set: SaveSetID, at root: String) -> FileName {
        let place = Array("\(set) \(root)".utf8).withUnsafeBytes { "\(Digest.sha256($0))".prefix(32) }
        guard let name = try? FileName(prefix + place + suffix) else {
            preconditionFailure("hexadecimal digits are a valid name")
        }
        return name
    }

    /// True for the staging folder of any game.
    static func matches(_ name: FileName) -> Bool {
        name.text.hasPrefix(prefix) && name.text.hasSuffix(suffix)
    }
}
