import Glibc
import LinuxPlatform

/// A power cut: ext4 stops at once and writes nothing, not even its journal (`EXT4_IOC_SHUTDOWN`, as in xfstests). Data
/// that was not flushed is lost once the file system is mounted again.
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
