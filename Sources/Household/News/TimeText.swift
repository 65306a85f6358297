import Glibc
package import Ledger

/// Moments for people, by this machine's own clock and time zone.
package enum TimeText {
    /// `2026-11-21 07:15`, as lists need it to stay sorted; with seconds where two are compared.
    package static func local(_ time: WallTime, withSeconds: Bool = false) -> String {
        var (moment, parts) = (time_t(time.secondsSince1970), tm())
        guard localtime_r(&moment, &parts) != nil else { return "?" }
        let date = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        let seconds = withSeconds ? ":\(two(parts.tm_sec))" : ""
        return "\(date) \(two(parts.tm_hour)):\(two(parts.tm_min))\(seconds)"
    }

    /// `07:15:09`, for what has just happened.
    package static func clock(_ time: WallTime) -> String { String(local(time, withSeconds: true).suffix(8)) }

    private static func two(_ number: CInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
