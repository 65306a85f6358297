import GameState
import History
import Ledger
import LinuxPlatform
import SaveFolder
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

    /// Files that differ among some snapshots, and how many more do. Nothing of snapshots that can't be read.
    func comparison(of snapshots: [Snapshot]) async throws -> (files: [FileComparison], others: Int) {
        try await apart { history in
            var manifests: [Manifest] = []
            for snapshot in snapshots {
                guard let manifest = try? history.manifest(of: snapshot) else { return ([], 0) }
                manifests.append(manifest)
            }
            return FileComparison.all(among: manifests, history)
        }
    }

    /// How many files each snapshot has changed after its first parent; nothing of one that can't be read.
    func changes(of snapshots: [(snapshot: Snapshot, parent: Snapshot?)]) async throws -> [SnapshotID: ManifestChanges]
    {
        try await apart { history in
            var (last, changes) = ((id: SnapshotID, manifest: Manifest)?.none, [SnapshotID: ManifestChanges]())
            for (snapshot, parent) in snapshots {
                guard try history.keeps(snapshot.id), let manifest = try? history.manifest(of: snapshot) else {
                    continue
                }
                var before: Manifest? = .empty
                if let parent {
                    before = parent.id == last?.id ? last?.manifest : try? history.manifest(of: parent)
                }
                if let before { changes[snapshot.id] = ManifestChanges(from: before, to: manifest) }
                last = (snapshot.id, manifest)
            }
            return changes
        }
    }

    /// Files of a snapshot, the first few, and how many there are.
    func files(of snapshot: Snapshot, limit: Int) async throws -> (files: [ManifestEntry], count: Int) {
        try await apart { history in
            let files = try history.manifest(of: snapshot).entries.filter { $0.file != nil }
            return (Array(files.prefix(limit)), files.count)
        }
    }

    /// What a snapshot holds, as far as it is shared.
    func manifest(of snapshot: Snapshot, in place: SetPlace) async throws -> Manifest {
        try await apart { place.shared(of: try $0.manifest(of: snapshot)) }
    }

    /// The bytes of one file of a snapshot; nil if it has no such file, or one that is larger than the limit.
    func content(of path: String, in snapshot: Snapshot, limit: UInt64) async throws -> [UInt8]? {
        try await apart { history in
            let entry = try history.manifest(of: snapshot).entries.first { $0.file != nil && "\($0.path)" == path }
            guard let file = entry?.file, file.size <= limit else { return nil }
            return try file.pieces.flatMap { try history.read($0.id) }
        }
    }

    /// The parts of a snapshot as a tar archive.
    func archiveParts(of snapshot: Snapshot) async throws -> [ArchivePart] {
        let time = FileTime(seconds: snapshot.time / 1_000, nanoseconds: 0)
        return try await apart { history in ArchivePart.all(of: try history.manifest(of: snapshot), at: time) }
    }

    func piece(_ id: PieceID) async throws -> [UInt8] { try await apart { try $0.read(id) } }

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
