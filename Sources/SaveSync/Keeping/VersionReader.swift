import GameState
import History
import Ledger
import LinuxPlatform
import SaveRules
import Vocabulary

/// Looks into versions for people. No folder is touched, so that a disk that hangs keeps nobody from seeing what is kept.
struct VersionReader: Sendable {
    let history: History

    /// What lies right in the folder of a version, as far as it is shared.
    func names(in version: Snapshot, scope: SetScope) async throws -> [FileName] {
        try await apart { history in
            let names = scope.shared(of: try history.manifest(of: version)).entries.compactMap(\.path.names.first)
            return Set(names).sorted()
        }
    }

    /// Where the files of some snapshots differ. Nothing of those that can't be read.
    func differences(among snapshots: [Snapshot]) async throws -> (named: [SnapshotID: [FileDifference]], others: Int) {
        try await apart { history in
            var (ids, manifests) = ([SnapshotID](), [Manifest]())
            for snapshot in snapshots {
                guard let manifest = try? history.manifest(of: snapshot) else { return ([:], 0) }
                ids.append(snapshot.id)
                manifests.append(manifest)
            }
            let found = FileDifference.all(among: manifests)
            return (Dictionary(zip(ids, found.named)) { first, _ in first }, found.others)
        }
    }

    /// What a snapshot says to a person, file by file.
    func summaries(of snapshot: Snapshot, _ set: SaveSetEntry) async throws -> [FileSummary] {
        try await apart { history in
            guard try history.keeps(snapshot.id) else { return [] }
            let rules = try? set.rules.map { try GameRules(parsing: $0) }
            guard let manifest = try? history.manifest(of: snapshot) else { return [] }
            return FileSummary.all(in: manifest, history, rules ?? GameRules())
        }
    }

    private func apart<Value: Sendable>(_ work: @escaping @Sendable (History) throws -> Value) async throws -> Value {
        try await runBlocking("versions") { [history] in try work(history) }
    }
}
