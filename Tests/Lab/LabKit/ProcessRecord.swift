import Glibc
import LinuxPlatform

/// The facts about a process from `/proc`.
struct ProcessRecord {
    /// Its start in clock ticks since the machine started.
    let startTime: UInt64

    /// True if it has ended and waits for its parent. It no longer has any resources.
    let hasEnded: Bool

    init(_ identifier: CInt) throws {
        let path = "/proc/\(identifier)/stat"
        // The name in brackets may have any characters. The text after its last bracket is plain.
        let fields = try TextFile.read(path).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19, let startTime = UInt64(fields[19]) else { throw SystemError("read", EPROTO, on: path) }
        self.startTime = startTime
        hasEnded = fields[0] == "Z" || fields[0] == "X"
    }
}
