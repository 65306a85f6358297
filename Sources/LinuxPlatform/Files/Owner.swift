import CLinux
import Glibc

/// The owner of a file or folder: user and group.
public struct Owner: Hashable, Sendable {
    /// The user's number.
    public let user: UInt32
    /// The group's number.
    public let group: UInt32
}

extension OwnedDescriptor {
    /// Returns the owner of the open file.
    public borrowing func owner() throws(SystemError) -> Owner {
        var raw = stat()
        let number = number
        try retrying("fstat") { fstat(number, &raw) }
        return Owner(user: raw.st_uid, group: raw.st_gid)
    }

    /// Gives the open file to another owner, if this user may. Only root may; for other users the call leaves the file
    /// as it is, their own.
    public borrowing func setOwner(_ owner: Owner) throws(SystemError) {
        guard try self.owner() != owner else { return }
        let number = number
        do {
            try retrying("fchown") { fchown(number, owner.user, owner.group) }
        } catch let error where error.number == EPERM {
            return
        }
    }

    /// Makes this file, which is empty and open for writing, share all contents of another one on the same file system,
    /// until either is written to.
    ///
    /// - Returns: false if the file system can't, or the two are not on the same one
    public borrowing func shareContents(of other: borrowing OwnedDescriptor) throws(SystemError) -> Bool {
        let (to, from) = (number, other.number)
        do {
            try retrying("ioctl FICLONE") { huddle_clone_file(to, from) }
            return true
        } catch let error where [EOPNOTSUPP, ENOTTY, EXDEV, EINVAL, ENOSYS].contains(error.number) {
            return false
        }
    }
}

extension Folder {
    /// Returns the owner of the folder.
    public borrowing func owner() throws(SystemError) -> Owner {
        try descriptor.owner()
    }

    /// Gives the folder to another owner, if this user may.
    public borrowing func setOwner(_ owner: Owner) throws(SystemError) {
        try descriptor.setOwner(owner)
    }
}
