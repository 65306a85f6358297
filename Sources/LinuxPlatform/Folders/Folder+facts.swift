import CLinux
import Glibc
public import Vocabulary

extension Folder {
    /// Returns the kernel's facts about the folder itself.
    public func facts() throws(SystemError) -> FileFacts {
        var raw = stat()
        try retrying("fstat") { fstat(descriptor.number, &raw) }
        return FileFacts(raw)
    }

    /// Returns the kernel's facts about an entry; a symbolic link is not followed.
    public func facts(of name: FileName) throws(SystemError) -> FileFacts {
        var raw = stat()
        try retrying("fstatat", on: name.text) { fstatat(descriptor.number, name.text, &raw, AT_SYMLINK_NOFOLLOW) }
        return FileFacts(raw)
    }

    /// True if the folder has an entry of this name.
    public func holds(_ name: FileName) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try facts(of: name)
            return true
        } catch let error where error.number == ENOENT {
            return false
        }
    }

    /// True if several spellings of a name, such as `SAVE` and `save`, mean the same entry here. Proton makes such
    /// folders. Events have a name as a program spelled it, not as a listing does.
    public var foldsNames: Bool { huddle_folds_names(descriptor.number) != 0 }

    // MARK: Links

    /// Gives a file a second name, in this or another folder of the same file system. The name must be free.
    public func link(_ name: FileName, to newName: FileName, in other: borrowing Folder) throws(SystemError) {
        let (from, to) = (descriptor.number, other.descriptor.number)
        try retrying("linkat", on: name.text) { linkat(from, name.text, to, newName.text, 0) }
    }

    /// Creates a symbolic link, which must not exist yet. Its target is not checked.
    public func createSymbolicLink(_ name: FileName, to target: String) throws(SystemError) {
        guard !target.utf8.contains(0) else { throw SystemError("symlinkat", EINVAL, on: name.text) }
        try retrying("symlinkat", on: name.text) { symlinkat(target, descriptor.number, name.text) }
    }

    /// Returns the target text of a symbolic link, in no particular encoding.
    public func target(ofSymbolicLink name: FileName) throws(SystemError) -> [UInt8] {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try retrying("readlinkat", on: name.text) {
            readlinkat(descriptor.number, name.text, &room, room.count)
        }
        guard count < room.count else { throw SystemError("readlinkat", ENAMETOOLONG, on: name.text) }
        return room.prefix(count).map { UInt8(bitPattern: $0) }
    }

    // MARK: Mode and time

    /// Sets the permissions of the folder itself, regardless of the process's mask.
    public func setMode(_ mode: FileMode) throws(SystemError) {
        try retrying("fchmod") { fchmod(descriptor.number, mode.rawValue) }
    }

    /// Sets the modification time of the folder itself.
    public func setModified(_ time: FileTime) throws(SystemError) {
        var raw = stat()
        try retrying("fstat") { fstat(descriptor.number, &raw) }
        let times = time.asModified(raw)
        try retrying("futimens") { futimens(descriptor.number, times) }
    }

    /// Sets the modification time of an entry; a symbolic link is not followed.
    public func setModified(_ time: FileTime, of name: FileName) throws(SystemError) {
        var raw = stat()
        try retrying("fstatat", on: name.text) { fstatat(descriptor.number, name.text, &raw, AT_SYMLINK_NOFOLLOW) }
        let times = time.asModified(raw)
        try retrying("utimensat", on: name.text) {
            utimensat(descriptor.number, name.text, times, AT_SYMLINK_NOFOLLOW)
        }
    }
}

extension FileTime {
    /// The two times that the calls need. The access time stays the same, but is not left out: behind FUSE programs of
    /// version 2, like that for exFAT, a call with a single time sets neither and reports no error.
    func asModified(_ raw: stat) -> [timespec] {
        [raw.st_atim, timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))]
    }
}
