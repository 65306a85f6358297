/// An instant as archives count: seconds since the beginning of 2001 in UTC.
///
/// It is between Apple's `distantPast`, two days before the year 1 by today's calendar, and the end of the year 9999,
/// because formats and programs disagree about other dates.
public struct ArchiveDate: Hashable, Comparable, Sendable {
    /// Seconds since 2001-01-01T00:00:00Z.
    public let secondsSince2001: Double

    /// From the beginning of 1970 to that of 2001.
    public static let secondsFrom1970To2001: Double = 978_307_200

    /// The instant; nil before `distantPast` and after the year 9999.
    public init?(secondsSince2001: Double) {
        // From 0000-12-30 to 9999-12-31T23:59:59.999, by the proleptic Gregorian calendar.
        guard secondsSince2001 >= -63_114_076_800, secondsSince2001 < 252_423_993_600 else { return nil }
        self.secondsSince2001 = secondsSince2001
    }

    /// The instant; nil before `distantPast` and after the year 9999.
    public init?(secondsSince1970: Double) {
        self.init(secondsSince2001: secondsSince1970 - Self.secondsFrom1970To2001)
    }

    /// Seconds since 1970-01-01T00:00:00Z.
    public var secondsSince1970: Double { secondsSince2001 + Self.secondsFrom1970To2001 }

    /// By time.
    public static func < (left: Self, right: Self) -> Bool {
        left.secondsSince2001 < right.secondsSince2001
    }
}
