import CLinux
import Glibc
public import Vocabulary

/// The owner and the permissions of a file or folder.
public struct Ownership: Hashable, Sendable {
    /// The number of the owning user.
    public let owner: UInt32
    /// The permissions.
    public let mode: FileMode

    /// True if it belongs to the user that this program runs as.
    public var isOurs: Bool { owner == geteuid() }

    /// True if only its owner, and root, can do anything with it.
    public var isPrivate: Bool { mode.rawValue & 0o077 == 0 }
}

extension OwnedDescriptor {
    /// Returns the ownership of the open file.
    public borrowing func ownership() throws(SystemError) -> Ownership {
        var raw = stat()
        let number = number
        try retrying("fstat") { fstat(number, &raw) }
        return Ownership(owner: raw.st_uid, mode: FileMode(rawValue: UInt32(raw.st_mode)))
    }
}

extension Folder {
    /// Returns the ownership of the folder.
    public borrowing func ownership() throws(SystemError) -> Ownership {
        try descriptor.ownership()
    }
}
