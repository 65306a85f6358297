import CLinux
import Glibc
import Vocabulary

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

/// The kernel's facts about the file system of a folder.
public struct FileSystem: Sendable {
    /// The room that is left.
    public let free: FreeSpace
    /// True if it is mounted read-only.
    public let isReadOnly: Bool
    private let kind: UInt32
    private let number: UInt64

    /// Asks for the facts about the file system of a folder.
    public init(of folder: borrowing Folder) throws(SystemError) {
        let descriptor = folder.descriptor.number
        var room = statvfs()
        try retrying("fstatvfs") { fstatvfs(descriptor, &room) }
        var raw = statfs()
        try retrying("fstatfs") { fstatfs(descriptor, &raw) }
        free = FreeSpace(room)
        isReadOnly = room.f_flag & UInt(ST_RDONLY) != 0
        kind = UInt32(truncatingIfNeeded: raw.f_type)
        let words = raw.f_fsid.__val
        number = UInt64(UInt32(bitPattern: words.1)) << 32 | UInt64(UInt32(bitPattern: words.0))
    }

    /// True if a file keeps its number when the file system is mounted again. FAT and exFAT have no numbers of their
    /// own. File systems behind FUSE or on the network may make them up as well.
    public var keepsNumbers: Bool { !Self.kindsWithoutNumbers.contains(kind) }

    /// True if every change of its files comes through this kernel, so that a watch hears of all of them. Files on the
    /// network or behind a FUSE program may change elsewhere, and those of ZFS by a rollback.
    public var isHeardWhole: Bool { Self.kindsHeardWhole.contains(kind) }

    /// A lasting identifier. Most (ext4, btrfs, ZFS) keep it. With XFS and F2FS it is the device's number, and with
    /// tmpfs it is new with each mount. If it has none, like FAT, or may be one of several layers, it is only the kind
    /// of the file system.
    public var lastingID: UInt64 { kind == Self.overlay || !keepsNumbers || number == 0 ? UInt64(kind) : number }

    /// True if that identifier is only a device's number, which may change at a restart, as with XFS and F2FS.
    public var isKnownByDevice: Bool { [0x5846_5342, 0xF2F5_2010].contains(kind) }

    /// As [statfs(2)](https://man7.org/linux/man-pages/man2/statfs.2.html) and the kernel's `magic.h` list them: FAT,
    /// exFAT, FUSE, 9P, SMB, CIFS.
    private static let kindsWithoutNumbers: Set<UInt32> = [
        0x4D44, 0x2011_BAB0, 0x6573_5546, 0x0102_1997, 0xFE53_4D42, 0xFF53_4D42,
    ]
    private static let overlay: UInt32 = 0x794C_7630
    /// ext2 to ext4, btrfs, XFS, F2FS, bcachefs and tmpfs. Layers of them are missing, because a program may write to a
    /// lower one.
    private static let kindsHeardWhole: Set<UInt32> = [
        0xEF53, 0x9123_683E, 0x5846_5342, 0xF2F5_2010, 0xCA45_1A4E, 0x0102_1994,
    ]
}

extension FreeSpace {
    fileprivate init(_ raw: statvfs) {
        let unit = UInt64(raw.f_frsize)
        func bytes(_ blocks: UInt64) -> UInt64 {
            let bytes = blocks.multipliedReportingOverflow(by: unit)
            return bytes.overflow ? .max : bytes.partialValue
        }
        self.init(
            bytes: bytes(UInt64(raw.f_bavail)),
            entries: raw.f_files == 0 ? nil : UInt64(raw.f_favail),
            total: bytes(UInt64(raw.f_blocks))
        )
    }
}

extension Folder {
    /// Waits until everything on the folder's file system would survive a power cut. Since Linux 5.8 it also reports
    /// failed writes since the folder was opened.
    public func syncFileSystem() throws(SystemError) {
        try retrying("syncfs") { huddle_sync_file_system(descriptor.number) }
    }
}
