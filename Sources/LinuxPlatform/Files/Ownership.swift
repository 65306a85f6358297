import CLinux
import Glibc
public import Vocabulary

/// Whose a file or folder is, and who else may use it.
public struct Ownership: Hashable, Sendable {
    /// The number of the user it belongs to.
    public let owner: UInt32
    /// Who may do what with it.
    public let mode: FileMode

    /// Whether it belongs to the user that this program runs as.
    public var isOurs: Bool { owner == geteuid() }

    /// Whether nobody but its owner, and the administrator, can do anything with it.
    public var isPrivate: Bool { mode.rawValue & 0o077 == 0 }
}

extension OwnedDescriptor {
    /// Whose the open file is.
    public borrowing func ownership() throws(SystemError) -> Ownership {
        var raw = stat()
        let number = number
        try retrying("fstat") { fstat(number, &raw) }
        return Ownership(owner: raw.st_uid, mode: FileMode(rawValue: UInt32(raw.st_mode)))
    }
}

extension Folder {
    /// Whose the folder is.
    public borrowing func ownership() throws(SystemError) -> Ownership {
        try descriptor.ownership()
    }
}
