import LinuxPlatform
import SaveRules
import Vocabulary

/// An untracked entry of a folder, which can't be part of a version. It stays in the folder.
public struct LeftOut: Hashable, Sendable {
    /// The reasons for that.
    public enum Reason: Hashable, Sendable {
        /// It is a pipe, a socket or a device.
        case special
        /// It is a symbolic link that may lead out of the game's folder.
        case linkLeadsOut
        /// Its name is not UTF-8 or has a control character.
        case badName
        /// It is too deep, or its path is too long.
        case tooDeep
    }

    /// The path, fit to print.
    public let path: String
    /// The reason why it is untracked.
    public let reason: Reason

    init(_ entry: FolderEntry, in folder: SavePath?, _ reason: Reason) {
        path = (folder.map { "\($0)/" } ?? "") + entry.printable
        self.reason = reason
    }
}
