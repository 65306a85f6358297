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
        news.append(Self.lines(report.entry) + Self.lines(report.leftOut))
        return news
    }

    /// What could not be done, though all else was.
    func trouble(_ error: any ExplainedError, of entry: SaveSetEntry) -> SessionNews {
        SessionNews("trouble", nil, "\(entry.name): \(error.explanation)") { news in
            news.isTrouble = true
            (news.set, news.name) = (entry.id.description, entry.name.description)
            news.blame(PassedOnError(error))
        }
    }

    private static func lines(_ entry: SaveSetEntry) -> [String] {
        let lines =
            [
                "keeps \(words(entry.retention))",
                "is read when nothing has changed for \(Double(entry.settleMilliseconds) / 1000) s",
            ] + patterns(entry)
        return entry.rules == nil ? lines : lines + ["is merged by rules of its own"]
    }

    /// What is no part of a set, as far as patterns say that.
    static func patterns(_ entry: SaveSetEntry) -> [String] {
        let lists = [("leaves out", entry.scope.ignored), ("of its own on each machine", entry.scope.local)]
        return lists.filter { !$0.1.meantLines.isEmpty }.map { "\($0.0) \(words($0.1))" }
    }

    private static func words(_ patterns: PathPatterns) -> String {
        patterns.meantLines.map { "\(PrintableText($0, limit: 255))" }.joined(separator: ", ")
    }

    /// Which versions stay.
    static func words(_ rule: RetentionRule) -> String {
        var words = "the newest \(rule.count) \(rule.count == 1 ? "version" : "versions")"
        if let days = rule.days { words += " and those of the last \(days) \(days == 1 ? "day" : "days")" }
        if let space = rule.space { words += ", in at most \(ByteCount(space).rounded)" }
        return words
    }
}

extension SessionNews {
    /// Further lines below the first.
    mutating func append(_ lines: [String]) {
        sentence = ([sentence ?? ""] + lines).joined(separator: "\n  ")
    }
}

extension RetentionRule {
    /// For how many days each stays.
    var days: Int64? { age.map { $0.components.seconds / 86_400 } }
}
