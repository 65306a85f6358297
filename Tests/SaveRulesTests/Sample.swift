import SaveProperties
import SaveRules
import Vocabulary

/// Values for tests, if any value would do.
enum Sample {
    static let hash: ContentHash = SaveProperties.mixed
    static let celeste = SaveSetID(high: 1, low: 2)

    static func peer(_ number: UInt8) -> PeerID {
        guard let peer = PeerID(bytes: [number] + [UInt8](repeating: 7, count: 31)) else { fatal("32 bytes are an id") }
        return peer
    }

    /// The seal of a machine in tests, whose id is its key.
    static func seal(of peer: PeerID) -> VersionSeal {
        guard let key = PublicKey(bytes: peer.bytes) else { fatal("the id of a test is a key") }
        return SaveProperties.seal(of: key)
    }

    /// A signature of no bytes, by no key.
    static let signature: Signature = {
        guard let signature = Signature(bytes: [UInt8](repeating: 9, count: 64)) else { fatal("64 bytes sign") }
        return signature
    }()

    static func seal(_ number: UInt8) -> VersionSeal { seal(of: peer(number)) }

    /// A version vector in which each machine has signed its counter.
    static func signed(_ counters: [UInt8: UInt64], in set: SaveSetID = celeste) -> SignedVersion {
        counters.sorted { $0.key < $1.key }.reduce(SignedVersion()) { version, part in
            guard let next = try? version.bumped(by: seal(part.key), in: set, beyond: part.value - 1) else {
                fatal("a version of a test is sound")
            }
            return next
        }
    }

    static func version(_ counters: [UInt8: UInt64]) -> VersionVector {
        let parts = counters.sorted { $0.key < $1.key }.map { VersionVector.Part(peer($0.key), $0.value) }
        guard let version = VersionVector(parts) else { fatal("a version of a test is sound") }
        return version
    }

    static func piece(_ text: String, length: Int = 100) -> PieceReference {
        PieceReference(PieceID(of: Array(text.utf8), hashedBy: hash), length: length)
    }

    static func progress(_ done: UInt64, of total: UInt64) -> FetchProgress {
        guard let progress = FetchProgress(done: done, of: total) else { fatal("\(done) of \(total) can be") }
        return progress
    }

    static func path(_ text: String) -> SavePath {
        guard let path = try? SavePath(text) else { fatal("“\(text)” is a path") }
        return path
    }

    static func file(_ path: String, _ contents: String..., mode: UInt32 = 0o644, at seconds: Int64 = 0)
        -> ManifestEntry
    {
        let modified = FileTime(seconds: seconds, nanoseconds: 5)
        let file = SavedFile(mode: FileMode(rawValue: mode), modified: modified, pieces: contents.map { piece($0) })
        return ManifestEntry(Sample.path(path), .file(file))
    }

    static func folder(_ path: String, mode: UInt32 = 0o755) -> ManifestEntry {
        ManifestEntry(Sample.path(path), .folder(FileMode(rawValue: mode)))
    }

    static func link(_ path: String, to target: String) -> ManifestEntry {
        let path = Sample.path(path)
        guard let target = LinkTarget(target.utf8, depth: path.depth - 1) else { fatal("“\(target)” stays inside") }
        return ManifestEntry(path, .link(target))
    }

    static func manifest(_ entries: ManifestEntry...) -> Manifest {
        guard let manifest = try? Manifest(sorting: entries) else { fatal("a manifest of a test is sound") }
        return manifest
    }

    static func draft(_ origin: Snapshot.Origin = .captured, version: [UInt8: UInt64] = [1: 1]) -> Snapshot.Draft {
        Snapshot.Draft(set: celeste, origin, version: signed(version), manifest: [piece("manifest")])
    }

    static func id(_ number: UInt64) -> SnapshotID { SnapshotID(words: (number, 0, 0, 0)) }

    private static func fatal(_ rule: String) -> Never { preconditionFailure(rule) }
}

extension ContinuousClock.Instant {
    private static let start = ContinuousClock.now

    /// The moment a number of seconds after the start of all tests.
    static func at(_ seconds: Double) -> Self { start + .seconds(seconds) }
}
