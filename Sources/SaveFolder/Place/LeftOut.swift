import LinuxPlatform
import SaveRules
import Vocabulary

/// An entry of a folder that no set can have. It stays.
public struct LeftOut: Hashable, Sendable {
    /// Reason of its exclusion.
    public enum Reason: Hashable, Sendable {
        /// It is a pipe, a socket or a device.
        case special
        /// It is a symbolic link that may lead out of the set.
        case linkLeadsOut
        /// Its name is not UTF-8 or has a control character.
        case badName
        /// Its depth or the length of its path exceeds the limit of a set.
        case tooDeep
    }

    /// Its path, printable.
    public let path: String
    /// Reason of its exclusion.
    public let reason: Reason

    init(_ entry: FolderEntry, in folder: SavePath?, _ reason: Reason) {
        path = (folder.map { "\($0)/" } ?? "") + entry.printable
        self.reason = reason
    }
}
