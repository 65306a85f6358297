import Digests
import History
import SaveRules
import Vocabulary

/// What was captured, made into a snapshot that is kept.
enum Captured {
    static func append(
        _ files: [String: SavedFile],
        _ set: SaveSetID,
        _ counter: UInt64,
        to batch: HistoryBatch
    ) throws -> Snapshot {
        guard let author = PeerID(bytes: Array(repeating: 1, count: 32)) else { preconditionFailure("32 bytes") }
        let entries = try files.map { ManifestEntry(try SavePath($0.key), .file($0.value)) }
        let manifest = try batch.put(Manifest(sorting: entries))
        let version = try VersionVector().bumped(by: author, beyond: counter)
        let draft = Snapshot.Draft(set: set, .captured, by: author, version: version, manifest: manifest)
        let snapshot = try Snapshot(draft, hashedBy: Digest.sha256)
        try batch.append(snapshot)
        return snapshot
    }
}
