import Digests
import Glibc
import History
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Synchronization
import TestSupport
import Vocabulary

/// Folders of a test: plain files, read and changed one by one. Only the test reports their changes.
final class PlainPlaces: SavePlaces {
    private let tellers = Mutex<[SaveSetID: @Sendable (PlaceEvent) -> Void]>([:])
    private let known = Mutex<[String: PlainPlace]>([:])
    /// True if the next reading finds that the folder has changed meanwhile.
    let stirs = Mutex(false)
    /// A hook that runs once when a folder's watch ends, and delays the end.
    let whenUnwatched = Mutex<(@Sendable () async -> Void)?>(nil)
    /// A hook that runs once when a folder was read but the result is not stored yet, and delays the storing.
    let whenRead = Mutex<(@Sendable () async -> Void)?>(nil)
    /// The number of times that the machine looked for open files.
    let looks = Mutex(0)

    func place(of set: SaveSetEntry) throws -> any SavePlace { place(at: set.path) }

    func place(at path: String) -> PlainPlace {
        known.withLock { known in
            let place = known[path] ?? PlainPlace(path)
            known[path] = place
            return place
        }
    }

    func watch(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        telling tell: @escaping @Sendable (PlaceEvent) -> Void
    ) async {
        tellers.withLock { $0[set.id] = tell }
        // The machine finds changes from before the watch by a scan.
        tell(.settled)
    }

    func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool {
        let hook = whenRead.withLock { hook in
            defer { hook = nil }
            return hook
        }
        await hook?()
        return stirs.withLock { stirs in
            defer { stirs = false }
            return !stirs
        }
    }

    /// Counts only: the test itself reports open files.
    func lookAgain(at set: SaveSetID) async { looks.withLock { $0 += 1 } }

    func unwatch(_ set: SaveSetID) async {
        tellers.withLock { $0[set] = nil }
        let hook = whenUnwatched.withLock { hook in
            defer { hook = nil }
            return hook
        }
        await hook?()
    }

    func run() async throws {}

    /// Reports that a program changes the folder, which is not quiet yet.
    func change(_ set: SaveSetID) { tellers.withLock { $0[set] }?(.changing) }

    func settle(_ set: SaveSetID) { tellers.withLock { $0[set] }?(.settled) }

    /// Reports that a program has a file open for writing.
    func occupy(_ set: SaveSetID, by who: String = "celeste (7)") { tellers.withLock { $0[set] }?(.occupied(who)) }
}

/// A folder of plain files. Every file has the same mode and was changed at the beginning of 1970, so that equal
/// contents give equal manifests.
final class PlainPlace: SavePlace {
    let path: String
    /// A hook that runs once, before a change compares the folder with the expected files.
    let beforeChange = Mutex<(@Sendable () -> Void)?>(nil)
    let user = Mutex<String?>(nil)
    /// A hook that runs before the place reports the writing program.
    let whenAsked = Mutex<(@Sendable () -> Void)?>(nil)
    let changeCount = Mutex(0)
    private let changedTo = Mutex<SnapshotID?>(nil)
    /// A hook that runs before the folder is read.
    let beforeReading = Mutex<(@Sendable () -> Void)?>(nil)
    /// The manifest over which the last reading was made.
    let kept = Mutex<Manifest?>(nil)
    /// The number of readings that still fail.
    let refusesReading = Mutex(0)

    init(_ path: String) {
        self.path = path
        mkdir(path, 0o755)
    }

    func read(into batch: HistoryBatch, rereading: Bool, over kept: Manifest?) throws -> Manifest? {
        beforeReading.withLock { $0 }?()
        self.kept.withLock { $0 = kept }
        let isRefused = refusesReading.withLock { count in
            defer { count = max(0, count - 1) }
            return count > 0
        }
        if isRefused { throw SystemError("read", EIO) }
        var entries: [ManifestEntry] = []
        for (name, bytes) in files() {
            var pieces: [PieceReference] = []
            for start in stride(from: 0, to: bytes.count, by: 100_000) {
                let part = Array(bytes[start..<min(start + 100_000, bytes.count)])
                let id = PieceID(of: part, hashedBy: Digest.sha256)
                try batch.put(part, expecting: id)
                pieces.append(PieceReference(id, length: part.count))
            }
            let time = FileTime(seconds: 0, nanoseconds: 0)
            entries.append(
                ManifestEntry(try SavePath(name), .file(SavedFile(mode: .readableFile, modified: time, pieces: pieces)))
            )
        }
        return try Manifest(sorting: entries)
    }

    func change(to target: Manifest, as version: SnapshotID, over base: Manifest, from history: History) throws
        -> PlaceChange
    {
        if let user = user.withLock({ $0 }) { return .inUse(user) }
        beforeChange.withLock { hook in
            hook?()
            hook = nil
        }
        let expected = try Dictionary(
            uniqueKeysWithValues: base.entries.map { ($0.path.text, try Self.bytes($0, history)) }
        )
        guard files() == expected else { return .changedMeanwhile }
        for entry in base.entries where target[entry.path] == nil { unlink("\(path)/\(entry.path.text)") }
        for entry in target.entries { put(try Self.bytes(entry, history), at: entry.path.text) }
        changeCount.withLock { $0 += 1 }
        changedTo.withLock { $0 = version }
        return .done
    }

    func writer() throws -> String? {
        whenAsked.withLock { $0 }?()
        return user.withLock { $0 }
    }

    func recover() throws -> SnapshotID? { changedTo.withLock { $0 } }
    func acknowledge() throws { changedTo.withLock { $0 = nil } }
    var leftOut: LeftOutFiles { LeftOutFiles() }
    func startFresh() throws {}
    func rest() throws {}

    private static func bytes(_ entry: ManifestEntry, _ history: History) throws -> [UInt8] {
        try (entry.file?.pieces ?? []).flatMap { try history.read($0.id) }
    }

    func files() -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for name in (try? Folder(at: path).entries(limit: 1_000).compactMap(\.name?.text)) ?? [] {
            guard let known = try? FileName(name) else { continue }
            files[name] = try? AtomicFile(known).read(in: Folder(at: path), limit: 1 << 30)
        }
        return files
    }

    func put(_ bytes: [UInt8], at name: String) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            precondition(count > 0, "a test's file is written")
            rest = rest.dropFirst(count)
        }
    }

    func remove(_ name: String) { unlink("\(path)/\(name)") }

    func texts() -> [String: String] { files().mapValues { String(decoding: $0, as: UTF8.self) } }
}
