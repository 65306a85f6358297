internal import Foundation

/// Dates as text: UTC, with milliseconds if there are any.
enum ISO8601 {
    private static let whole = Date.ISO8601FormatStyle()
    private static let fractional = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static func text(_ date: Date) -> String {
        let isWhole = date.timeIntervalSinceReferenceDate.rounded(.down) == date.timeIntervalSinceReferenceDate
        return (isWhole ? whole : fractional).format(date)
    }

    static func date(_ text: String) -> Date? {
        // No date is longer, so a longer text need not be parsed.
        guard text.utf8.count <= 40 else { return nil }
        return (try? whole.parse(text)) ?? (try? fractional.parse(text))
    }
}
