import Household
import Ledger
import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

extension SaveService {
    /// The reports, in agreement with the list of machines.
    private func reports() async -> [GameReport] {
        var reports = engine.reports()
        for place in reports.indices { reports[place] = await wording.asSeen(reports[place]) }
        return reports
    }

    func states() async -> [GameStateInfo] {
        await reports().map { report in
            GameStateInfo(
                set: report.entry.id.description,
                name: report.entry.name.description,
                state: report.facts.status
            )
        }
    }

    /// The numbers of games by state, and of versions and offers.
    func metrics() async -> [Metric] {
        let reports = await reports()
        let byStatus = Dictionary(grouping: reports, by: \.facts.status).mapValues(\.count)
        let offers = (try? await games.offers())?.count ?? 0
        var metrics = [
            Metric(
                .gauge,
                "huddle_games",
                "games that are shared here, by state",
                by: "state",
                GameStatus.allCases.map { ($0.rawValue, UInt64(byStatus[$0] ?? 0)) }
            ),
            Metric(
                .gauge,
                "huddle_save_versions",
                "versions of saves that are kept",
                reports.reduce(0) { $0 + $1.versions.count }
            ),
            Metric(.gauge, "huddle_offers", "games that other machines offer and that are not joined here", offers),
        ]
        if let historyFolder = games.historyFolder,
            let bytes = try? await runBlocking("history", { Self.bytes(below: historyFolder) })
        {
            metrics.append(Metric(.gauge, "huddle_history_bytes", "the space of all versions on the disk", bytes))
        }
        return metrics
    }

    private nonisolated static let mostEntries = 100_000

    /// The bytes of the history's files. These are packs and an index, so they are few.
    private nonisolated static func bytes(below path: String) -> UInt64 {
        guard let folder = try? Folder(at: path), let entries = try? folder.entries(limit: mostEntries) else {
            return 0
        }
        return entries.reduce(0) { sum, entry in
            guard let name = entry.name else { return sum }
            switch entry.kind {
            case .folder: return sum + bytes(below: "\(path)/\(name.text)")
            case .file: return sum + UInt64((try? folder.facts(of: name).size) ?? 0)
            default: return sum
            }
        }
    }
}
