import CLinux
import Glibc
public import Vocabulary

extension FileTime {
    /// The time that a file changed now would get.
    public static var now: FileTime {
        if let calendar = VirtualTime.current?.calendar {
            let (seconds, rest) = calendar.components
            return FileTime(seconds: seconds, nanoseconds: UInt32(rest / 1_000_000_000))
        }
        var now = timespec()
        // It fails only for a clock that does not exist.
        clock_gettime(CLOCK_REALTIME, &now)
        return FileTime(seconds: Int64(now.tv_sec), nanoseconds: UInt32(now.tv_nsec))
    }
}
