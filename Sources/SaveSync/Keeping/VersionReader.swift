import GameState
import History
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Vocabulary

/// Reads versions for the user. It touches no folder, so kept versions can be seen even if a folder's disk hangs.
struct VersionReader: Sendable {
    let history: History
    /// Lists of files are read one after the other. Each may take much memory.
    private let turn: AsyncMutex

    @Engine
    init(history: History) { (self.history, turn) = (history, AsyncMutex()) }

    /// The memory of the lists that are compared. It is enough for two of the longest that other machines may send.
    private static let comparedByteCount = 2 * Manifest.maximumForeignMemory

    /// Returns the names at the top of a version's folder, without those that are not shared.
    func names(in version: Snapshot, scope: SetScope) async throws -> [FileName] {
        try await apart { history in
            let names = scope.shared(of: try history.manifest(of: version)).entries.compactMap(\.path.names.first)
            return Set(names).sorted()
        }
    }

    /// Returns files that differ among some versions, and the number of further ones. Empty if one of the versions
    /// can't be read, or if their lists of files are too long to be compared.
    func comparison(of snapshots: [Snapshot]) async throws -> (files: [FileComparison], others: Int) {
        try await apart { history in
            var (manifests, byteCount) = ([Manifest](), 0)
            for snapshot in snapshots {
                guard let manifest = try? history.manifest(of: snapshot) else { return ([], 0) }
                manifests.append(manifest)
                byteCount += manifest.memoryByteCount
                guard byteCount <= Self.comparedByteCount || manifests.count <= 2 else { return ([], 0) }
            }
            return FileComparison.all(among: manifests, history)
        }
    }

    /// Returns the files that each version changed after its first parent. A version that can't be read is left out.
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

    /// Returns the first files of a version, and the number of all.
    func files(of snapshot: Snapshot, limit: Int) async throws -> (files: [ManifestEntry], count: Int) {
        try await apart { history in
            let files = try history.manifest(of: snapshot).entries.filter { $0.file != nil }
            return (Array(files.prefix(limit)), files.count)
        }
    }

    /// Returns the files of a version, without those that are not shared.
    func manifest(of snapshot: Snapshot, in place: SetPlace) async throws -> Manifest {
        try await apart { place.shared(of: try $0.manifest(of: snapshot)) }
    }

    /// Returns the bytes of one file of a version; nil if there is no such file, or if it is larger than the limit.
    func content(of path: String, in snapshot: Snapshot, limit: UInt64) async throws -> [UInt8]? {
        try await apart { history in
            let entry = try history.manifest(of: snapshot).entries.first { $0.file != nil && "\($0.path)" == path }
            guard let file = entry?.file, file.size <= limit else { return nil }
            return try file.pieces.flatMap { try history.read($0.id) }
        }
    }

    /// Returns the parts of a version as a tar archive.
    func archiveParts(of snapshot: Snapshot) async throws -> [ArchivePart] {
        let time = FileTime(seconds: snapshot.time / 1_000, nanoseconds: 0)
        return try await apart { history in ArchivePart.all(of: try history.manifest(of: snapshot), at: time) }
    }

    func piece(_ id: PieceID) async throws -> [UInt8] {
        try await runBlocking("versions") { [history] in try history.read(id) }
    }

    /// Returns summaries of the files of a version, for users.
    func summaries(of snapshot: Snapshot, _ set: SaveSetEntry) async throws -> [FileSummary] {
        try await apart { history in
            guard try history.keeps(snapshot.id) else { return [] }
            let rules = try? set.rules.map { try GameRules(parsing: $0) }
            guard let manifest = try? history.manifest(of: snapshot) else { return [] }
            return FileSummary.all(in: manifest, history, rules ?? GameRules())
        }
    }

    private func apart<Value: Sendable>(_ work: @escaping @Sendable (History) throws -> Value) async throws -> Value {
        try await turn.alone { try await runBlocking("versions") { [history] in try work(history) } }
    }
}
