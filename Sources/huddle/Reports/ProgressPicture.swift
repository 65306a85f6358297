import Household
import SessionRules

/// A transfer as one line of a terminal: `Deck ← save.zip  ████░░░░  52 %  3.1 MiB  1.2 MiB/s  0:42 left`.
///
/// If the window is narrow, the size is left out first, then the rate, the time left and the bar. The percentage stays,
/// and the name keeps at least eight characters.
struct ProgressPicture {
    private static let barWidths = 6...24
    private static let shortestTitle = 8
    let line: String

    init(_ title: String, _ progress: TransferProgress, width: Int, at now: ContinuousClock.Instant = .now) {
        var parts = [Self.percent(progress.fraction), SizeText.of(progress.total)]
        if let rate = progress.rate(at: now), rate >= 1 { parts.append("\(SizeText.of(UInt64(rate)))/s") }
        if let left = progress.timeLeft(at: now), progress.done < progress.total {
            parts.append("\(Self.clock(left)) left")
        }
        // Two spaces separate the name from the rest, and the last column stays free.
        let spare = width - Self.shortestTitle - 3
        while parts.count > 1, Self.joined(parts).count > spare { parts.remove(at: 1) }
        let barWidth = min(Self.barWidths.upperBound, spare - Self.joined(parts).count - 1)
        let bar = barWidth < Self.barWidths.lowerBound ? "" : Self.bar(progress.fraction, width: barWidth) + " "
        let facts = bar + Self.joined(parts)
        let room = max(Self.shortestTitle, width - facts.count - 3)
        let shown = title.count > room ? title.prefix(room - 1) + "…" : title
        line = "\(shown)  \(facts)"
    }

    private static func joined(_ parts: [String]) -> String { parts.joined(separator: "  ") }

    private static func bar(_ fraction: Double, width: Int) -> String {
        let filled = Int(fraction * Double(width))
        return String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    }

    /// The percentage in a fixed width, so that the text after it does not move.
    private static func percent(_ fraction: Double) -> String {
        let digits = String(Int(fraction * 100))
        return String(repeating: " ", count: 3 - digits.count) + digits + " %"
    }

    private static func clock(_ duration: Duration) -> String {
        let seconds = duration.components.seconds
        let (minutes, hours) = (seconds / 60 % 60, seconds / 3600)
        let tail = "\(two(seconds % 60))"
        return hours > 0 ? "\(hours):\(two(minutes)):\(tail)" : "\(minutes):\(tail)"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
