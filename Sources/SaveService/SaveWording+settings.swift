import Household
import Ledger
import SaveFolder
import SaveRules
import SaveSync
import Vocabulary

/// The lines about the settings of games.
extension SaveWording {
    /// The event about a game with its settings below.
    func settings(_ report: GameReport, omitted: [FileName]) async -> DaemonLine {
        var line = await set(report, omitted: omitted)
        line.append(Self.lines(report.entry) + Self.lines(report.leftOut))
        return line
    }

    /// The event about a part of a change that failed, though the rest succeeded.
    func trouble(_ error: any ExplainedError, of entry: SaveSetEntry) -> DaemonLine {
        let event = TroubleEvent(GameTag(entry), PassedOnError(error))
        return DaemonLine(.trouble(event), "\(entry.name): \(error.explanation)", isTrouble: true)
    }

    private static func lines(_ entry: SaveSetEntry) -> [String] {
        let lines =
            [
                "keeps \(words(entry.retention))",
                "is scanned after \(Double(entry.settleMilliseconds) / 1000) s without a change",
            ] + patterns(entry)
        return entry.rules == nil ? lines : lines + ["is merged by its own rules"]
    }

    /// The lines about patterns of ignored files and of files that each machine keeps for itself.
    static func patterns(_ entry: SaveSetEntry) -> [String] {
        let lists = [("ignores", entry.scope.ignored), ("each machine keeps its own", entry.scope.local)]
        return lists.filter { !$0.1.meantLines.isEmpty }.map { "\($0.0) \(words($0.1))" }
    }

    private static func words(_ patterns: PathPatterns) -> String {
        patterns.meantLines.map { "\(PrintableText($0, limit: 255))" }.joined(separator: ", ")
    }

    /// The versions that stay.
    static func words(_ rule: RetentionRule) -> String {
        var words = "the newest \(rule.count) \(rule.count == 1 ? "version" : "versions")"
        if let days = rule.days { words += " and those of the last \(days) \(days == 1 ? "day" : "days")" }
        if let space = rule.space { words += ", in at most \(ByteCount(space).rounded)" }
        return words
    }
}

extension DaemonLine {
    /// Adds lines below the first one.
    mutating func append(_ lines: [String]) {
        sentence = ([sentence ?? ""] + lines).joined(separator: "\n  ")
    }
}

extension RetentionRule {
    /// The days for which each version stays.
    var days: Int64? { age.map { $0.components.seconds / 86_400 } }
}
