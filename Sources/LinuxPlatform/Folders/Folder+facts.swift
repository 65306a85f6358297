import CLinux
import Glibc
public import Vocabulary

/// The room that a file system has left for this process.
public struct FreeSpace: Hashable, Sendable {
    /// Free bytes.
    public let bytes: UInt64
    /// Free files and folders; nil if the file system does not count them.
    public let entries: UInt64?
    /// The size of the file system in bytes.
    package let total: UInt64

    /// Bytes that files of other machines never take: a full disk keeps games from saving.
    package var reserve: UInt64 { min(1 << 30, total / 20) }
}

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

    /// Tells if the folder has an entry of this name.
    public func holds(_ name: FileName) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try facts(of: name)
            return true
        } catch let error where error.number == ENOENT {
            return false
        }
    }

    /// Returns the room left on the folder's file system.
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

    /// True if the folder's file system is mounted read-only.
    public func isReadOnly() throws(SystemError) -> Bool {
        var raw = statvfs()
        try retrying("fstatvfs") { fstatvfs(descriptor.number, &raw) }
        return raw.f_flag & UInt(ST_RDONLY) != 0
    }

    /// True if a file keeps its number when the folder's file system is mounted again. FAT and exFAT have no numbers of
    /// their own. File systems behind FUSE or on the network may make them up as well.
    public func keepsNumbers() throws(SystemError) -> Bool { !Self.kindsWithoutNumbers.contains(try fileSystemKind()) }

    /// A lasting identifier of the folder's file system. Most (ext4, btrfs, ZFS) keep it. With XFS and F2FS it is the
    /// device's number, and with tmpfs it is new with each mount. If it has none, like FAT, or may be one of several
    /// layers, it is only the kind of the file system.
    public func lastingFileSystem() throws(SystemError) -> UInt64 {
        let raw = try fileSystem()
        let kind = UInt32(truncatingIfNeeded: raw.f_type)
        guard kind != Self.overlay, !Self.kindsWithoutNumbers.contains(kind) else { return UInt64(kind) }
        let words = raw.f_fsid.__val
        let identity = UInt64(UInt32(bitPattern: words.1)) << 32 | UInt64(UInt32(bitPattern: words.0))
        return identity == 0 ? UInt64(kind) : identity
    }

    /// True if that identifier is only a device's number, which may change at a restart: so with XFS and F2FS.
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

    /// As [statfs(2)](https://man7.org/linux/man-pages/man2/statfs.2.html) and the kernel's `magic.h` list them: FAT,
    /// exFAT, FUSE, 9P, SMB, CIFS.
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

    // MARK: Flushing

    /// Waits until everything on the folder's file system would survive a power cut. Since Linux 5.8 it also reports
    /// failed writes since the folder was opened.
    public func syncFileSystem() throws(SystemError) {
        try retrying("syncfs") { huddle_sync_file_system(descriptor.number) }
    }
}

extension FileTime {
    /// The two times that the calls want. The access time stays the same, but is not left out: behind FUSE programs of
    /// version 2, like that for exFAT, a call with a single time sets neither and reports no error.
    func asModified(_ raw: stat) -> [timespec] {
        [raw.st_atim, timespec(tv_sec: Int(seconds), tv_nsec: Int(nanoseconds))]
    }
}
