import Glibc
import LinuxPlatform

/// How the power is cut: ext4 is told to stop at once and to write nothing more, not even its journal
/// (`EXT4_IOC_SHUTDOWN`, which xfstests uses for the same). What was not flushed is gone once the file system is
/// mounted again.
enum PowerCut {
    /// `_IOR('X', 125, __u32)`.
    private static let shutDown: CUnsignedLong = 0x8004_587d
    private static let writingNothing: UInt32 = 2

    static func stopWriting(to folder: String) throws {
        let file = try retrying("open", on: folder) { open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
        defer { close(file) }
        var how = writingNothing
        try retrying("ioctl", on: folder) { ioctl(file, shutDown, &how) }
    }
}
