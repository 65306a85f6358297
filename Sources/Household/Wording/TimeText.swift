import Glibc
package import Ledger

/// Times for the user, by the clock and time zone of this machine.
package enum TimeText {
    /// A time such as `2026-11-21 07:15`, so that lists stay sorted. It has seconds if two times are compared.
    package static func local(_ time: WallTime, withSeconds: Bool = false) -> String {
        var (moment, parts) = (time_t(time.secondsSince1970), tm())
        guard localtime_r(&moment, &parts) != nil else { return "?" }
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let seconds = withSeconds ? ":\(two(parts.tm_sec))" : ""
        return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min))\(seconds)"
    }

    /// A time such as `07:15:09`, for a recent event.
    package static func clock(_ time: WallTime) -> String { String(local(time, withSeconds: true).suffix(8)) }

    private static func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
