import CLinux
import Glibc
public import Vocabulary

/// What room a file system has left for this process.
public struct FreeSpace: Hashable, Sendable {
    /// How many bytes.
    public let bytes: UInt64
    /// How many files and folders; nil where the file system does not count them.
    public let entries: UInt64?
}

extension Folder {
    /// What the kernel knows about the folder itself.
    public func facts() throws(SystemError) -> FileFacts {
        var raw = stat()
        try retrying("fstat") { fstat(descriptor.number, &raw) }
        return FileFacts(raw)
    }

    /// What the kernel knows about something in the folder; a symbolic link is not followed.
    public func facts(of name: FileName) throws(SystemError) -> FileFacts {
        var raw = stat()
        try retrying("fstatat", on: name.text) { fstatat(descriptor.number, name.text, &raw, AT_SYMLINK_NOFOLLOW) }
        return FileFacts(raw)
    }

    /// What room is left on the folder's file system.
    public func freeSpace() throws(SystemError) -> FreeSpace {
        var raw = statvfs()
        try retrying("fstatvfs") { fstatvfs(descriptor.number, &raw) }
        let bytes = UInt64(raw.f_bavail).multipliedReportingOverflow(by: UInt64(raw.f_frsize))
        return FreeSpace(
            bytes: bytes.overflow ? .max : bytes.partialValue,
            entries: raw.f_files == 0 ? nil : UInt64(raw.f_favail)
        )
    }

    /// Whether nobody can write to the folder's file system, whoever it is.
    public func isReadOnly() throws(SystemError) -> Bool {
        var raw = statvfs()
        try retrying("fstatvfs") { fstatvfs(descriptor.number, &raw) }
        return raw.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Whether a folder of this file system has the same number after it was mounted anew, so that another number means another folder.
    public func numbersLast() throws(SystemError) -> Bool {
        try retrying("fstatfs") { huddle_numbers_last(descriptor.number) } != 0
    }

    // MARK: Links

    /// Gives a file a second name, in this or another folder of the same file system. The name must be free.
    public func link(_ name: FileName, to newName: FileName, in other: borrowing Folder) throws(SystemError) {
        let (from, to) = (descriptor.number, other.descriptor.number)
        try retrying("linkat", on: name.text) { linkat(from, name.text, to, newName.text, 0) }
    }

    /// Makes a symbolic link that must not exist yet. Where it leads is not looked at.
    public func createSymbolicLink(_ name: FileName, to target: String) throws(SystemError) {
        guard !target.utf8.contains(0) else { throw SystemError("symlinkat", EINVAL, on: name.text) }
        try retrying("symlinkat", on: name.text) { symlinkat(target, descriptor.number, name.text) }
    }

    /// Where a symbolic link says that it leads, in no particular encoding.
    public func target(ofSymbolicLink name: FileName) throws(SystemError) -> [UInt8] {
        var room = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = try retrying("readlinkat", on: name.text) {
            readlinkat(descriptor.number, name.text, &room, room.count)
        }
        guard count < room.count else { throw SystemError("readlinkat", ENAMETOOLONG, on: name.text) }
        return room.prefix(count).map { UInt8(bitPattern: $0) }
    }

    // MARK: Mode and time

    /// Sets the permissions of the folder itself, whatever the process's mask.
    public func setMode(_ mode: FileMode) throws(SystemError) {
        try retrying("fchmod") { fchmod(descriptor.number, mode.rawValue) }
    }

    /// Sets when the folder itself was changed.
    public func setModified(_ time: FileTime) throws(SystemError) {
        let times = time.asOnlyModified
        try retrying("futimens") { futimens(descriptor.number, times) }
    }

    /// Sets when something in the folder was changed; a symbolic link is not followed.
    public func setModified(_ time: FileTime, of name: FileName) throws(SystemError) {
        let times = time.asOnlyModified
        try retrying("utimensat", on: name.text) {
            utimensat(descriptor.number, name.text, times, AT_SYMLINK_NOFOLLOW)
        }
    }

    // MARK: Flushing

    /// Waits until everything on the folder's file system would survive a power cut. Since Linux 5.8 it also says when
    /// something since the folder was opened could not be written.
    public func syncFileSystem() throws(SystemError) {
        try retrying("syncfs") { huddle_sync_file_system(descriptor.number) }
    }
}

extension FileTime {
    /// The two times that the calls want: the access time stays as it is.
    var asOnlyModified: [timespec] {
        [
            timespec(tv_sec: 0, tv_nsec: Int(huddle_leave_time)),
            timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds)),
        ]
    }
}
