import FoundationEssentials
import Glibc
import LinuxPlatform
import Testing

extension ChildProcess {
    /// True once the program has blocked its signals and reads them itself.
    var takesSignals: Bool {
        get throws {
            let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
            let blocked = try #require(status.firstMatch(of: #/SigBlk:\s*([0-9a-f]+)/#)?.1)
            return try #require(UInt64(blocked, radix: 16)) & 1 << (SIGINT - 1) != 0
        }
    }
}
