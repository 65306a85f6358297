extension ArchiveDate: CustomStringConvertible {
    /// `2026-01-02T03:04:05Z`, in UTC, with as many digits of a fraction as the instant needs.
    public var description: String {
        let time = CalendarTime(self)
        guard let second = time.date, second != self else { return time.spelled }
        let fraction = Self.shortest(secondsSince2001 - second.secondsSince2001, after: second.secondsSince2001)
        // Very small fractions have an exponent; no clock needs to show those.
        guard fraction.description.hasPrefix("0.") else { return time.spelled }
        return time.spelled.dropLast() + fraction.description.dropFirst() + "Z"
    }

    /// The shortest fraction that gives the same instant. Doubles near today are about a tenth of a microsecond apart.
    private static func shortest(_ fraction: Double, after second: Double) -> Double {
        var power = 10.0
        while power < 1e9 {
            let rounded = (fraction * power).rounded() / power
            if second + rounded == second + fraction { return rounded }
            power *= 10
        }
        return fraction
    }

    /// Reads what ``description`` writes; nil for anything else.
    public init?(_ text: String) {
        let utf8 = Array(text.utf8)
        guard utf8.count <= 64, let point = utf8.firstIndex(of: UInt8(ascii: ".")) else {
            guard let date = CalendarTime(spelled: utf8)?.date else { return nil }
            self = date
            return
        }
        let digits = utf8[(point + 1)...].dropLast()
        guard !digits.isEmpty, digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            utf8.last == UInt8(ascii: "Z"),
            let second = CalendarTime(spelled: utf8[..<point] + [UInt8(ascii: "Z")])?.date,
            let fraction = Double("0." + String(decoding: digits, as: UTF8.self))
        else { return nil }
        self.init(secondsSince2001: second.secondsSince2001 + fraction)
    }
}
