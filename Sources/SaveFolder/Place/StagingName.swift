import Digests
import SaveRules
import Vocabulary

/// What the folder is called in which a set's new state is made ready: beside the set and hidden, and there only while it is
/// being changed.
enum StagingName {
    private static let prefix = ".huddle-"
    private static let suffix = ".staging"

    /// - Parameter root: two places of one set may lie side by side, such as those of two daemons on one machine
    static func of(_ set: SaveSetID, at root: String) -> FileName {
        let place = Array("\(set) \(root)".utf8).withUnsafeBytes { "\(Digest.sha256($0))".prefix(32) }
        guard let name = try? FileName(prefix + place + suffix) else {
            preconditionFailure("hexadecimal digits make a name")
        }
        return name
    }

    /// Whether it is the staging folder of any set.
    static func matches(_ name: FileName) -> Bool {
        name.text.hasPrefix(prefix) && name.text.hasSuffix(suffix)
    }
}
