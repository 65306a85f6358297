import Household
import SessionRules

/// How a transfer looks on one line of a terminal: `Deck ← save.zip  [#####-----]  52 %  1.2 MiB/s  0:42 left`.
struct ProgressPicture {
    private static let barWidth = 24
    let line: String

    init(_ title: String, _ progress: TransferProgress, width: Int, at now: ContinuousClock.Instant = .now) {
        let filled = Int(progress.fraction * Double(Self.barWidth))
        let bar = String(repeating: "█", count: filled) + String(repeating: "░", count: Self.barWidth - filled)
        var parts = ["\(bar) \(Self.percent(progress.fraction))", SizeText.of(progress.total)]
        if let rate = progress.rate(at: now), rate >= 1 { parts.append("\(SizeText.of(UInt64(rate)))/s") }
        if let left = progress.timeLeft(at: now), progress.done < progress.total {
            parts.append("\(Self.clock(left)) left")
        }
        let facts = parts.joined(separator: "  ")
        let room = max(8, width - facts.count - 3)
        let shown = title.count > room ? title.prefix(room - 1) + "…" : title
        line = "\(shown)  \(facts)"
    }

    /// As wide as it will ever be, so that what follows stands still.
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
