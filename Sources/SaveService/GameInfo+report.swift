import Household
import Ledger
import SaveFolder
import SaveRules
import SaveSync
import Vocabulary

extension GameInfo {
    /// Facts that a report has without the ledger.
    ///
    /// - Parameter omitted: names in its versions that this machine has not chosen
    init(_ report: GameReport, omitted: [FileName]) {
        let entry = report.entry
        var settings = GameSettingsInfo(
            retention: RetentionInfo(entry.retention),
            settleTime: Double(entry.settleMilliseconds) / 1000
        )
        settings.program = entry.program
        settings.files = entry.chosen?.names.map(\.text)
        settings.omitted = omitted.map(\.text)
        (settings.ignored, settings.local) = (entry.scope.ignored.meantLines, entry.scope.local.meantLines)
        self.init(
            set: entry.id.description,
            name: entry.name.description,
            path: entry.path,
            state: report.facts.status,
            versions: VersionsInfo(
                count: report.versions.count,
                newest: report.versions.heads.map(\.id.description),
                shown: report.versions.shown?.id.description
            ),
            settings: settings
        )
        if report.facts.status == .unavailable { obstacle = report.trouble?.kind }
        sharers.all = report.sharers.map(\.description)
        sharers.behind = report.facts.behind.map(\.peer.description)
        sharers.notJoined = report.facts.sharers.filter { $0.part == .notJoined }.map(\.peer.description)
        playing = PlayingInfo(other: report.play.holder?.peer.description, isHere: report.play.isHere)
        pause = report.facts.pause
        sharers.paused = report.facts.sharers.filter { $0.reach == .paused }.map(\.peer.description)
        if report.leftOut.count > 0 {
            leftOut = LeftOutInfo(count: report.leftOut.count, reasons: report.leftOut.reasons)
        }
    }
}

extension RetentionInfo {
    init(_ rule: RetentionRule) {
        self.init(
            versions: rule.count,
            days: rule.days.map { Int($0) },
            bytes: rule.space.map { Int(clamping: $0) }
        )
    }
}
