import LinuxPlatform
import SaveRules
import Vocabulary

/// Something in a set's folder that can't be part of any set. It stays where it is.
public struct LeftOut: Hashable, Sendable {
    /// Why it is left out.
    public enum Reason: Hashable, Sendable {
        /// It is a pipe, a socket or a device.
        case special
        /// It is a symbolic link that may lead out of the set.
        case linkLeadsOut
        /// Its name is not UTF-8 or has a control character.
        case badName
        /// It lies deeper, or its path is longer, than a set allows.
        case tooDeep
    }

    /// Where it lies, fit to print.
    public let path: String
    /// Why it is left out.
    public let reason: Reason

    init(_ entry: FolderEntry, in folder: SavePath?, _ reason: Reason) {
        path = (folder.map { "\($0)/" } ?? "") + entry.printable
        self.reason = reason
    }
}
