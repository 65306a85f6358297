import CLinux
import Glibc
public import Vocabulary

/// What room a file system has left for this process.
public struct FreeSpace: Hashable, Sendable {
    /// How many bytes.
    public let bytes: UInt64
    /// How many files and folders; nil where the file system does not count them.
    public let entries: UInt64?
    /// How many bytes the file system has in all.
    package let total: UInt64

    /// What is never taken by files of others: a full disk keeps games from saving.
    package var reserve: UInt64 { min(1 << 30, total / 20) }
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

    /// Whether there is something of this name.
    public func holds(_ name: FileName) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try facts(of: name)
            return true
        } catch let error where error.number == ENOENT {
            return false
        }
    }

    /// What room is left on the folder's file system.
    public func freeSpace() throws(SystemError) -> FreeSpace {
        var raw = statvfs()
        try retrying("fstatvfs") { fstatvfs(descriptor.number, &raw) }
        let unit = UInt64(raw.f_frsize)
        func bytes(_ blocks: UInt64) -> UInt64 {
            let bytes = blocks.multipliedReportingOverflow(by: unit)
            return bytes.overflow ? .max : bytes.partialValue
        }
        return FreeSpace(
            bytes: bytes(UInt64(raw.f_bavail)),
            entries: raw.f_files == 0 ? nil : UInt64(raw.f_favail),
            total: bytes(UInt64(raw.f_blocks))
        )
    }

    /// Whether nobody can write to the folder's file system, whoever it is.
    public func isReadOnly() throws(SystemError) -> Bool {
        var raw = statvfs()
        try retrying("fstatvfs") { fstatvfs(descriptor.number, &raw) }
        return raw.f_flag & UInt(ST_RDONLY) != 0
    }

    /// Whether a file of the folder's file system has the same number after that was mounted anew. FAT and exFAT have none of their own; what is
    /// behind FUSE or comes over the network may make them up as well.
    public func keepsNumbers() throws(SystemError) -> Bool { !Self.kindsWithoutNumbers.contains(try fileSystemKind()) }

    /// What the folder's file system is known by. Most (ext4, btrfs, ZFS) keep it; with XFS and F2FS it is the device's number, and with tmpfs it is new
    /// with each mount. Where it has nothing of the kind, as FAT has not, or may be one of several layers, only of which kind it is.
    public func lastingFileSystem() throws(SystemError) -> UInt64 {
        let raw = try fileSystem()
        let kind = UInt32(truncatingIfNeeded: raw.f_type)
        guard kind != Self.overlay, !Self.kindsWithoutNumbers.contains(kind) else { return UInt64(kind) }
        let words = raw.f_fsid.__val
        let identity = UInt64(UInt32(bitPattern: words.1)) << 32 | UInt64(UInt32(bitPattern: words.0))
        return identity == 0 ? UInt64(kind) : identity
    }

    /// Whether that is no more than a device's number, which may be another one after a start: so it is with XFS and F2FS.
    public func isKnownByDevice() throws(SystemError) -> Bool {
        [0x5846_5342, 0xF2F5_2010].contains(try fileSystemKind())
    }

    private func fileSystemKind() throws(SystemError) -> UInt32 {
        UInt32(truncatingIfNeeded: try fileSystem().f_type)
    }

    private func fileSystem() throws(SystemError) -> statfs {
        var raw = statfs()
        try retrying("fstatfs") { fstatfs(descriptor.number, &raw) }
        return raw
    }

    /// As [statfs(2)](https://man7.org/linux/man-pages/man2/statfs.2.html) and the kernel's `magic.h` have them: FAT, exFAT, FUSE, 9P, SMB, CIFS.
    private static let kindsWithoutNumbers: Set<UInt32> = [
        0x4D44, 0x2011_BAB0, 0x6573_5546, 0x0102_1997, 0xFE53_4D42, 0xFF53_4D42,
    ]
    private static let overlay: UInt32 = 0x794C_7630

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
        var raw = stat()
        try retrying("fstat") { fstat(descriptor.number, &raw) }
        let times = time.asModified(raw)
        try retrying("futimens") { futimens(descriptor.number, times) }
    }

    /// Sets when something in the folder was changed; a symbolic link is not followed.
    public func setModified(_ time: FileTime, of name: FileName) throws(SystemError) {
        var raw = stat()
        try retrying("fstatat", on: name.text) { fstatat(descriptor.number, name.text, &raw, AT_SYMLINK_NOFOLLOW) }
        let times = time.asModified(raw)
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
    /// The two times that the calls want: the access time stays as it is. It is not left out, for behind FUSE programs of version 2, as that for exFAT, a
    /// single time is set without a word to neither.
    func asModified(_ raw: stat) -> [timespec] {
        [raw.st_atim, timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))]
    }
}
