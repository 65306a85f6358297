import Glibc
import LinuxPlatform

/// What `/proc` says about a process.
struct ProcessRecord {
    /// In clock ticks since the machine started.
    let startTime: UInt64

    /// Whether it has ended and waits for its parent to take note: it holds nothing any more.
    let hasEnded: Bool

    init(_ identifier: CInt) throws {
        let path = "/proc/\(identifier)/stat"
        // The name, in brackets, may hold anything; what follows its last bracket is plain.
        let fields = try TextFile.read(path).split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 19, let startTime = UInt64(fields[19]) else { throw SystemError("read", EPROTO, on: path) }
        self.startTime = startTime
        hasEnded = fields[0] == "Z" || fields[0] == "X"
    }
}
