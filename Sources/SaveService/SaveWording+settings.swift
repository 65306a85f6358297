import Household
import Ledger
import SaveFolder
import SaveRules
import SaveSync
import Vocabulary

/// What is said of the settings of save sets.
extension SaveWording {
    /// A set, and below it its settings.
    func settings(_ report: SaveKeeper.Report, omitted: [FileName]) async -> SessionNews {
        var news = await set(report, omitted: omitted)
        news.sentence = ([news.sentence ?? ""] + Self.lines(report.entry) + Self.lines(report.leftOut)).joined(
            separator: "\n  "
        )
        return news
    }

    /// What could not be done, though all else was.
    func trouble(_ error: any ExplainedError, of entry: SaveSetEntry) -> SessionNews {
        SessionNews("trouble", nil, "\(entry.name): \(error)") { news in
            news.isTrouble = true
            (news.set, news.name) = (entry.id.description, entry.name.description)
            news.blame(PassedOnError(error))
        }
    }

    private static func lines(_ entry: SaveSetEntry) -> [String] {
        var lines = [
            "keeps \(words(entry.retention))",
            "is read when nothing has changed for \(Double(entry.settleMilliseconds) / 1000) s",
        ]
        if !entry.scope.ignored.lines.isEmpty { lines.append("leaves out \(words(entry.scope.ignored))") }
        if !entry.scope.local.lines.isEmpty { lines.append("of its own on each machine \(words(entry.scope.local))") }
        if entry.rules != nil { lines.append("is merged by rules of its own") }
        return lines
    }

    private static func words(_ patterns: PathPatterns) -> String {
        patterns.lines.map { "\(PrintableText($0, limit: 255))" }.joined(separator: ", ")
    }

    /// Which versions stay.
    static func words(_ rule: RetentionRule) -> String {
        var words = "the newest \(rule.count) \(rule.count == 1 ? "version" : "versions")"
        if let days = rule.days { words += " and those of the last \(days) \(days == 1 ? "day" : "days")" }
        if let space = rule.space { words += ", in at most \(ByteCount(space).rounded)" }
        return words
    }
}

extension RetentionRule {
    /// For how many days each stays.
    fileprivate var days: Int64? { age.map { $0.components.seconds / 86_400 } }

    /// The same for programs.
    var counts: [String: Int] {
        var counts = ["versions": count]
        counts["days"] = days.map { Int($0) }
        counts["bytes"] = space.map { Int(clamping: $0) }
        return counts
    }
}
