import Household
import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

extension SaveService {
    /// How the save sets are, in numbers.
    func metrics() async -> [Metric] {
        let reports = keeper.reports()
        var metrics = [
            Metric(.gauge, "huddle_save_sets", "save sets kept here", reports.count),
            Metric(
                .gauge,
                "huddle_save_versions",
                "versions of saves that are kept",
                reports.reduce(0) { $0 + $1.versionCount }
            ),
            Metric(
                .gauge,
                "huddle_save_conflicts",
                "save sets that two machines have changed apart",
                reports.count { $0.state == .split }
            ),
            Metric(
                .gauge,
                "huddle_save_sets_kept_out",
                "save sets whose newest version is not put into the folder",
                reports.count { $0.quarantine != nil }
            ),
            Metric(
                .gauge,
                "huddle_save_sets_in_trouble",
                "save sets that can't be read, kept or put into their folder",
                reports.count { $0.trouble != nil }
            ),
        ]
        if let historyFolder, let bytes = try? await runBlocking("history", { Self.bytes(below: historyFolder) }) {
            metrics.append(Metric(.gauge, "huddle_history_bytes", "what all versions take on the disk", bytes))
        }
        return metrics
    }

    private nonisolated static let mostEntries = 100_000

    /// The files of the history: packs and an index, few whatever is kept.
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
