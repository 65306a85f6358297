import LinuxPlatform
import Vocabulary

/// A time by the machine's calendar clock, in seconds, as it is stored over restarts. The clock may be set back, so
/// durations are measured by other means.
public struct WallTime: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The seconds since the beginning of 1970, without leap seconds.
    public let secondsSince1970: Int64

    /// - Parameter secondsSince1970: the seconds since the beginning of 1970, without leap seconds
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// The current time of the clock.
    public static var now: WallTime { WallTime(secondsSince1970: FileTime.now.seconds) }

    /// The number of seconds.
    public var description: String { String(secondsSince1970) }

    /// The earlier one is less.
    public static func < (left: WallTime, right: WallTime) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }

    /// Adds seconds. The result is clamped to the range of the numbers.
    public static func + (time: WallTime, seconds: Int64) -> WallTime {
        let (sum, overflow) = time.secondsSince1970.addingReportingOverflow(seconds)
        return WallTime(secondsSince1970: overflow ? (seconds > 0 ? .max : .min) : sum)
    }
}
