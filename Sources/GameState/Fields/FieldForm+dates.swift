public import SecureArchive

/// The form of a date in trees.
public enum DateStyle: Sendable, Hashable {
    /// A date, in formats that have dates.
    case date
    /// `2026-01-02T03:04:05Z`.
    case text
    /// Seconds since the beginning of 1970, as in Unix.
    case secondsSince1970
    /// Milliseconds since the beginning of 1970, as in Java and JavaScript.
    case millisecondsSince1970
    /// Seconds since the beginning of 2001, as in Apple's programs.
    case secondsSince2001
}

extension FieldForm where Value == ArchiveDate {
    /// A date, read in each given style, and written in the first.
    ///
    /// Dates and texts show their style. Numbers do not, so only the first style of numbers in the list is used.
    public static func date(_ styles: DateStyle...) -> FieldForm {
        let numbers = styles.first { $0 != .date && $0 != .text }
        return FieldForm(in: numbers != nil ? .scalar : styles.first == .text ? .string : .date) { value, reading in
            let found: ArchiveDate? =
                switch value.untagged {
                case .date(let date) where styles.contains(.date): date
                case .string(let text): date(in: text, styles, numbers, reading.strictness)
                case let other: other.exactReal.flatMap { number in numbers?.date(number) }
                }
            if found == nil {
                reading.fault(.wrongKind, "it is \(value.untagged.kindInWords), not \(words(for: styles))")
            }
            return found
        } writeOver: { date, style, original in
            if let original, case .string(let text) = original.untagged, DateText.date(text) == date { return original }
            // The style in which the old value was read, if the list has it.
            let stood: DateStyle? =
                switch original?.untagged {
                case .date: styles.contains(.date) ? .date : nil
                case .string(let text) where numbers != nil && NumberInText.real(text) != nil:
                    numbers
                case .string: styles.contains(.text) ? .text : nil
                case .integer, .real: numbers
                default: nil
                }
            return (stood ?? styles.first ?? .date).value(date, style, original)
        }
    }

    /// Creates a form for a date in words, or as a number.
    private static func date(
        in text: String,
        _ styles: [DateStyle],
        _ numbers: DateStyle?,
        _ strictness: Strictness
    ) -> ArchiveDate? {
        if styles.contains(.text), let date = DateText.date(text) { return date }
        guard strictness.readsNumbersInTexts else { return nil }
        return NumberInText.real(text).flatMap { number in numbers?.date(number) }
    }

    private static func words(for styles: [DateStyle]) -> String {
        styles.map(\.words).joined(separator: " or ")
    }
}

extension DateStyle {
    fileprivate var words: String {
        switch self {
        case .date: "a date"
        case .text: "a date such as “2026-01-02T03:04:05Z”"
        case .secondsSince1970: "seconds since 1970"
        case .millisecondsSince1970: "milliseconds since 1970"
        case .secondsSince2001: "seconds since 2001"
        }
    }

    fileprivate func date(_ number: Double) -> ArchiveDate? {
        switch self {
        case .secondsSince1970: ArchiveDate(secondsSince1970: number)
        case .millisecondsSince1970: ArchiveDate(secondsSince1970: number / 1000)
        case .secondsSince2001: ArchiveDate(secondsSince2001: number)
        case .date, .text: nil
        }
    }

    fileprivate func value(_ date: ArchiveDate, _ style: ModelStyle, _ original: ArchiveValue?) -> ArchiveValue {
        switch self {
        case .date: .date(date)
        case .text: .string(date.description)
        case .secondsSince1970: FieldForm<Double>.real.write(date.secondsSince1970, style, original)
        case .millisecondsSince1970:
            FieldForm<Double>.number.write((date.secondsSince1970 * 1000).rounded(), style, original)
        case .secondsSince2001: FieldForm<Double>.real.write(date.secondsSince2001, style, original)
        }
    }
}
