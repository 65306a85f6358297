import LinuxPlatform
import Vocabulary

/// A moment by the machine's calendar clock, to the second, as it is kept over restarts. The clock may be set back, so
/// that durations are measured by other means.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Seconds since the beginning of 1970, leap seconds left out.
    public let secondsSince1970: Int64

    /// - Parameter secondsSince1970: leap seconds left out
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// What the clock says.
    public static var now: WallTime { WallTime(secondsSince1970: FileTime.now.seconds) }

    /// The number of seconds.
    public var description: String { String(secondsSince1970) }

    /// The earlier one is less.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// That many seconds later. It stops at the end of all numbers.
    public static func + (time: WallTime, seconds: Int64) -> WallTime {
        let (sum, overflow) = time.secondsSince1970.addingReportingOverflow(seconds)
        return WallTime(secondsSince1970: overflow ? (seconds > 0 ? .max : .min) : sum)
    }
}
