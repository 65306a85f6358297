import CLinux
import Glibc
public import Vocabulary

extension Folder {
    /// Exchanges two existing entries atomically. They may be of different kinds.
    ///
    /// - Throws: `SystemError`; with `EINVAL` if the file system can't do it, with `EBUSY` or `EXDEV` if one is a mount
    ///   point or on another file system
    public func exchange(
        _ name: FileName,
        with otherName: FileName,
        in other: borrowing Folder
    ) throws(SystemError) {
        let (from, to) = (descriptor.number, other.descriptor.number)
        try retrying("renameat2", on: name.text) { huddle_rename_exchanging(from, name.text, to, otherName.text) }
    }

    /// Sets the permissions of a regular file or a folder in this one, regardless of the process's mask.
    ///
    /// Only root can open a file that not even its owner may read, so this changes the permissions without opening the
    /// file for access. It refuses a symbolic link that another program put there meanwhile.
    public func setMode(_ mode: FileMode, of name: FileName) throws(SystemError) {
        let pinned = try openBeneath(name, huddle_open_path_only)
        let kind = try FileFacts(of: pinned.number, name).kind
        guard kind == .file || kind == .folder else { throw SystemError("fchmodat", EINVAL, on: name.text) }
        // The one way to change the target of a descriptor without access rights: see open(2) on O_PATH.
        try retrying("fchmodat", on: name.text) {
            fchmodat(AT_FDCWD, "/proc/self/fd/\(pinned.number)", mode.rawValue, 0)
        }
    }

    /// The path by which the kernel reaches the folder now. It may change a moment later.
    public func currentPath() throws(SystemError) -> String {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let link = "/proc/self/fd/\(descriptor.number)"
        let count = try retrying("readlink", on: link) { readlink(link, &room, room.count) }
        guard count < room.count else { throw SystemError("readlink", ENAMETOOLONG, on: link) }
        let bytes = room.prefix(count).map { UInt8(bitPattern: $0) }
        guard let path = String(validating: bytes, as: UTF8.self) else {
            throw SystemError("readlink", EILSEQ, on: link)
        }
        return path
    }
}
