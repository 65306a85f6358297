public import SaveRules

/// The choice of a user that ends a conflict.
public enum ConflictAnswer: Hashable, Sendable {
    /// The version that this machine's folder shows.
    case mine
    /// The other side.
    case theirs
    /// A side, by one of its versions: later saves of that machine count, too.
    case side(SnapshotID)
    /// A certain version.
    case version(SnapshotID)
    /// The merge by rules, with the files of a version if no rule merges them. Without such a version, a file that no
    /// rule merges keeps the conflict open.
    case merge(favouring: SnapshotID?)

    /// The name in the audit log.
    var word: String {
        switch self {
        case .mine: "mine"
        case .theirs: "theirs"
        case .side: "machine"
        case .version: "version"
        case .merge: "merge"
        }
    }
}
