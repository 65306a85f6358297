/// A second of the years 0 to 9999 in the form for people, in UTC, by today's calendar extended backwards.
package struct CalendarTime: Equatable {
    var year: Int
    var month: Int
    var day: Int
    var hour: Int
    var minute: Int
    var second: Int

    /// Reads `2026-01-02T03:04:05Z`; nil for any other form and for dates that do not exist.
    package init?(spelled text: some Sequence<UInt8>) {
        let form = Array("0000-00-00T00:00:00Z".utf8)
        let characters = Array(text.prefix(form.count + 1))
        guard characters.count == form.count else { return nil }
        var numbers = [0]
        for (character, expected) in zip(characters, form) {
            if expected == UInt8(ascii: "0") {
                guard let digit = HexadecimalDigit.value(of: character), digit < 10 else { return nil }
                numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(digit)
            } else {
                guard character == expected else { return nil }
                numbers.append(0)
            }
        }
        (year, month, day) = (numbers[0], numbers[1], numbers[2])
        (hour, minute, second) = (numbers[3], numbers[4], numbers[5])
        guard (0...9999).contains(year), (1...12).contains(month),
            (1...Self.dayCount(of: month, in: year)).contains(day),
            hour < 24, minute < 60, second < 60
        else { return nil }
    }

    /// The second that contains an instant.
    package init(_ date: ArchiveDate) {
        let seconds = Int(date.secondsSince2001.rounded(.down))
        let (days, rest) = seconds.quotientAndRemainder(dividingBy: 86_400)
        let (day, secondOfDay) = rest < 0 ? (days - 1, rest + 86_400) : (days, rest)
        (hour, minute, second) = (secondOfDay / 3600, secondOfDay / 60 % 60, secondOfDay % 60)
        (year, month, self.day) = Self.civil(daysSinceYear0: day + Self.daysFromYear0To2001)
    }

    /// The instant at which the second begins.
    package var date: ArchiveDate? {
        let days = Self.daysSinceYear0(year: year, month: month, day: day) - Self.daysFromYear0To2001
        return ArchiveDate(secondsSince2001: Double(days * 86_400 + hour * 3600 + minute * 60 + second))
    }

    /// `2026-01-02T03:04:05Z`
    package var spelled: String {
        "\(padded(year, to: 4))-\(padded(month))-\(padded(day))T\(padded(hour)):\(padded(minute)):\(padded(second))Z"
    }

    private func padded(_ number: Int, to count: Int = 2) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

extension CalendarTime {
    private static let daysFromYear0To2001 = daysSinceYear0(year: 2001, month: 1, day: 1)

    private static func dayCount(of month: Int, in year: Int) -> Int {
        switch month {
        case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Years begin in March here, so that a leap day is the last day of its year (Howard Hinnant, “chrono-Compatible
    /// Low-Level Date Algorithms”).
    private static func daysSinceYear0(year: Int, month: Int, day: Int) -> Int {
        let marchYear = month > 2 ? year : year - 1
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        return marchYear * 365 + marchYear / 4 - marchYear / 100 + marchYear / 400 + dayOfYear
    }

    private static func civil(daysSinceYear0 days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = days.quotientAndRemainder(dividingBy: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marchMonth = (5 * dayOfYear + 2) / 153
        let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
    }
}
