import Digests
import History
import SaveRules
import Vocabulary

/// A scan result, stored as a version.
enum Captured {
    static func append(
        _ files: [String: SavedFile],
        _ set: SaveSetID,
        _ counter: UInt64,
        to batch: HistoryBatch
    ) throws -> Snapshot {
        guard let key = PublicKey(bytes: Array(repeating: 1, count: 32)),
            let signature = Signature(bytes: Array(repeating: 1, count: 64))
        else { preconditionFailure("32 bytes, and 64") }
        // A history stores only versions that were checked before.
        let seal = VersionSeal(of: key, hashedBy: Digest.sha256) { _ in signature }
        let entries = try files.map { ManifestEntry(try SavePath($0.key), .file($0.value)) }
        let manifest = try batch.put(Manifest(sorting: entries))
        let version = try SignedVersion().bumped(by: seal, in: set, beyond: counter)
        let draft = Snapshot.Draft(set: set, .captured, version: version, manifest: manifest)
        let snapshot = try Snapshot(draft, sealedBy: seal)
        try batch.append(snapshot)
        return snapshot
    }
}
