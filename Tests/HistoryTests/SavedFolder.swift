import Digests
import History
import SaveRules
import TestSupport
import Vocabulary

/// Pseudo-random bytes.
func randomBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var dice = SeededGenerator(seed: seed)
    return dice.bytes(count)
}

/// Bytes that compress well.
func textBytes(_ count: Int, seed: UInt64) -> [UInt8] {
    var dice = SeededGenerator(seed: seed)
    var bytes: [UInt8] = []
    while bytes.count < count { bytes += Array("hp=\(dice.next() % 100) gold=\(dice.next() % 1000)\n".utf8) }
    return Array(bytes.prefix(count))
}

/// A save of a test: the contents of its files by their names.
struct SavedFolder: Equatable {
    var files: [String: [UInt8]]

    /// An empty signature: a history does not check it, because its callers do.
    static let seal: VersionSeal? = PublicKey(bytes: Array(repeating: 7, count: 32)).flatMap { key in
        Signature(bytes: Array(repeating: 7, count: 64)).map { signature in
            VersionSeal(of: key, hashedBy: Digest.sha256) { _ in signature }
        }
    }

    /// Puts everything and makes the snapshot, without appending it.
    func put(
        in batch: HistoryBatch,
        set: SaveSetID,
        counter: UInt64 = 1,
        parents: [SnapshotID] = []
    ) throws -> Snapshot {
        var entries: [ManifestEntry] = []
        for (name, bytes) in files {
            let file = SavedFile(
                mode: .privateFile,
                modified: FileTime(seconds: 1, nanoseconds: 2),
                pieces: try Self.put(bytes, in: batch)
            )
            entries.append(ManifestEntry(try SavePath(name), .file(file)))
        }
        let manifest = try batch.put(Manifest(sorting: entries))
        guard let seal = Self.seal else { throw HistoryTestError.noAuthor }
        let version = try SignedVersion().bumped(by: seal, in: set, beyond: counter)
        var draft = Snapshot.Draft(set: set, .captured, version: version, manifest: manifest)
        draft.parents = parents.sorted()
        draft.time = Int64(counter)
        return try Snapshot(draft, sealedBy: seal)
    }

    /// The pieces of one file.
    static func put(_ bytes: [UInt8], in batch: HistoryBatch) throws -> [PieceReference] {
        let sizes = PieceSizes(forFileOf: UInt64(bytes.count))
        let cutter = PieceCutter(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum)
        return try bytes.withUnsafeBytes { bytes in
            var (pieces, start) = ([PieceReference](), 0)
            for end in bytes.count <= sizes.wholeUpTo ? [bytes.count] : cutter.ends(of: bytes) where end > 0 {
                let piece = DigestedBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
                try batch.put(piece)
                pieces.append(PieceReference(PieceID(words: piece.digest.words), length: end - start))
                start = end
            }
            return pieces
        }
    }

    /// Reads the files of a snapshot.
    init(_ snapshot: Snapshot, from history: History) throws {
        files = [:]
        for entry in try history.manifest(of: snapshot).entries {
            files[entry.path.text] = try (entry.file?.pieces ?? []).flatMap { try history.read($0.id) }
        }
    }

    init(_ files: [String: [UInt8]]) {
        self.files = files
    }
}

enum HistoryTestError: Error {
    case noAuthor
}

extension History {
    /// Captures a save: puts its pieces and appends the snapshot.
    @discardableResult
    func capture(
        _ files: [String: [UInt8]],
        set: SaveSetID = testSet,
        counter: UInt64 = 1,
        parents: [SnapshotID] = []
    ) throws -> Snapshot {
        let batch = try beginBatch()
        let snapshot = try SavedFolder(files).put(in: batch, set: set, counter: counter, parents: parents)
        try batch.append(snapshot)
        return snapshot
    }

    func contents(of id: SnapshotID) throws -> [String: [UInt8]]? {
        try snapshot(id).map { try SavedFolder($0, from: self).files }
    }
}

let testSet = SaveSetID(high: 1, low: 2)
let otherSet = SaveSetID(high: 3, low: 4)

/// Returns true if a call is refused with this code.
func refusal<Value>(_ code: ErrorCode, _ body: () throws -> Value) -> Bool {
    do {
        _ = try body()
        return false
    } catch let error as HistoryError {
        return error.code == code
    } catch {
        return false
    }
}
