import Digests
import Glibc
import History
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import SaveSync
import Session
import Synchronization
import Vocabulary

/// A game's folder in memory. As on a disk, it outlives the program.
final class SimulatedFolder: Sendable {
    struct State {
        var files: [String: [UInt8]] = [:]
        /// The program that has one of its files open for writing.
        var writer: String?
        /// True while its disk is removed.
        var isAway = false
        /// The number of writes so far.
        var writeCount = 0
        /// The value of `writeCount` at the last reading.
        var readCount = 0
        /// True while a game runs there that its user began with the daemon.
        var isPlayed = false
        /// The number of changes by the daemon while a game ran.
        var intrusionCount = 0
        /// The result of ``SavePlace/recover()``.
        var changedTo: SnapshotID?
        /// The manifests of its contents whenever the daemon read or changed it.
        var shown: Set<PieceID> = []
        /// The manifests among them that are half of a save.
        var torn: Set<PieceID> = []
        /// The programs that watch it.
        var watchers: [ObjectIdentifier: @Sendable () -> Void] = [:]
    }

    let state = Mutex(State())

    var files: [String: [UInt8]] { state.withLock { $0.files } }

    /// Changes the folder as a program would, and notifies the watchers.
    func write(_ change: (inout State) -> Void) {
        let watchers = state.withLock { state in
            change(&state)
            state.writeCount += 1
            return state.watchers.values
        }
        for stirred in watchers { stirred() }
    }
}

/// A folder, as one run of the daemon uses it. After a crash of that run, it changes nothing.
final class SimulatedPlace: SavePlace {
    let folder: SimulatedFolder
    private let disk: SimulatedDisk
    private let isDead: @Sendable () -> Bool

    init(_ folder: SimulatedFolder, on disk: SimulatedDisk, isDead: @escaping @Sendable () -> Bool) {
        (self.folder, self.disk, self.isDead) = (folder, disk, isDead)
    }

    private func requireLife() throws { if isDead() { throw CancellationError() } }

    private func requireFolder() throws {
        try requireLife()
        if folder.state.withLock({ $0.isAway }) { throw SaveFolderError(SystemError("open", ENOENT), at: "the folder") }
    }

    func read(into batch: HistoryBatch, rereading: Bool, over kept: Manifest?) throws -> Manifest? {
        try requireFolder()
        try disk.requireReading()
        let files = folder.state.withLock { state in
            state.readCount = state.writeCount
            return state.files
        }
        for bytes in Set(files.values).sorted(by: { $0.lexicographicallyPrecedes($1) }) {
            try batch.put(bytes, expecting: PieceID(of: bytes, hashedBy: Digest.sha256))
        }
        let manifest = try Self.manifest(of: files)
        let id = PieceID(of: manifest.encoded, hashedBy: Digest.sha256)
        folder.state.withLock { state in
            state.shown.insert(id)
            if Set(files.values).count > 1 { state.torn.insert(id) }
        }
        return manifest
    }

    /// The manifest of some files.
    static func manifest(of files: [String: [UInt8]]) throws -> Manifest {
        let entries = try files.sorted { $0.key < $1.key }.map { name, bytes in
            let time = FileTime(seconds: 0, nanoseconds: 0)
            let pieces = [PieceReference(PieceID(of: bytes, hashedBy: Digest.sha256), length: bytes.count)]
            return ManifestEntry(
                try SavePath(name),
                .file(SavedFile(mode: .readableFile, modified: time, pieces: pieces))
            )
        }
        return try Manifest(sorting: entries)
    }

    func change(to target: Manifest, as version: SnapshotID, over base: Manifest, from history: History) throws
        -> PlaceChange
    {
        try requireFolder()
        if let writer = folder.state.withLock({ $0.writer }) { return .inUse(writer) }
        let expected = try Self.files(of: base, history)
        guard folder.files == expected else { return .changedMeanwhile }
        let wanted = try Self.files(of: target, history)
        try disk.requireWriting()
        folder.write { state in
            // A version of the same files changes nothing for the game.
            if state.isPlayed, state.files != wanted { state.intrusionCount += 1 }
            (state.files, state.changedTo) = (wanted, version)
            state.shown.insert(PieceID(of: target.encoded, hashedBy: Digest.sha256))
        }
        try disk.requirePower()
        return .done
    }

    static func files(of manifest: Manifest, _ history: History) throws -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        for entry in manifest.entries {
            guard let file = entry.file else { continue }
            files[entry.path.text] = try file.pieces.reduce(into: []) { $0 += try history.read($1.id) }
        }
        return files
    }

    func writer() throws -> String? { folder.state.withLock { $0.writer } }
    func recover() throws -> SnapshotID? { folder.state.withLock { $0.changedTo } }
    func acknowledge() throws {
        try requireLife()
        folder.state.withLock { $0.changedTo = nil }
    }
    var leftOut: LeftOutFiles { LeftOutFiles() }
    func startFresh() throws {
        try requireLife()
        folder.state.withLock { $0.changedTo = nil }
    }
    func rest() throws {}
}

/// The folders of one run of the daemon, which it watches until it ends.
final class SimulatedPlaces: SavePlaces {
    private let disk: SimulatedDisk
    private let folders: @Sendable (String) -> SimulatedFolder
    private let watches = Mutex<[SaveSetID: Watch]>([:])
    private let dead = Atomic<Bool>(false)

    init(on disk: SimulatedDisk, _ folders: @escaping @Sendable (String) -> SimulatedFolder) {
        (self.disk, self.folders) = (disk, folders)
    }

    /// Lets power fail: this run changes and reports nothing after it.
    func die() { dead.store(true, ordering: .relaxed) }

    var isDead: Bool { dead.load(ordering: .relaxed) }

    func place(of set: SaveSetEntry) throws -> any SavePlace {
        SimulatedPlace(folders(set.path), on: disk) { [weak self] in self?.isDead ?? true }
    }

    func watch(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        telling tell: @escaping @Sendable (PlaceEvent) -> Void
    ) async {
        guard let place = place as? SimulatedPlace else { preconditionFailure("a place of this simulation") }
        let watch = Watch(place.folder, .milliseconds(set.settleMilliseconds)) { [weak self] event in
            if self?.isDead == false { tell(event) }
        }
        let former = watches.withLock { watches in
            defer { watches[set.id] = watch }
            return watches[set.id]
        }
        former?.end()
        watch.begin()
    }

    func wasRead(_ set: SaveSetID, _ outcome: FolderReadOutcome) async -> Bool {
        guard let watch = watches.withLock({ $0[set] }) else { return true }
        return watch.wasRead(outcome)
    }

    func lookAgain(at set: SaveSetID) async { watches.withLock { $0[set] }?.stirs() }

    func unwatch(_ set: SaveSetID) async { watches.withLock { $0.removeValue(forKey: set) }?.end() }

    func run() async throws {}
}

/// Waits until a folder has had its quiet period.
private final class Watch: Sendable {
    private let folder: SimulatedFolder
    private let quiet: Duration
    private let tell: @Sendable (PlaceEvent) -> Void
    private let timer = Mutex<ScheduledTimer?>(nil)
    private let isGone = Mutex(false)

    init(_ folder: SimulatedFolder, _ quiet: Duration, telling tell: @escaping @Sendable (PlaceEvent) -> Void) {
        (self.folder, self.quiet, self.tell) = (folder, quiet, tell)
    }

    func begin() {
        folder.state.withLock { $0.watchers[ObjectIdentifier(self)] = { [weak self] in self?.stirs() } }
        stirs()
    }

    func end() {
        folder.state.withLock { $0.watchers[ObjectIdentifier(self)] = nil }
        timer.withLock { $0?.cancel() }
    }

    func stirs() {
        timer.withLock { timer in
            timer?.cancel()
            timer = EventLoop.shared.schedule(after: quiet) { [weak self] in self?.settles() }
        }
    }

    private func settles() {
        let (writer, isAway) = folder.state.withLock { ($0.writer, $0.isAway) }
        let wasGone = isGone.withLock { isGone in
            defer { isGone = isAway }
            return isGone
        }
        if isAway != wasGone { tell(isAway ? .gone : .back) }
        if !isAway { tell(writer.map { .occupied($0) } ?? .settled) }
    }

    func wasRead(_ outcome: FolderReadOutcome) -> Bool {
        let isStill = folder.state.withLock { $0.readCount == $0.writeCount }
        if !isStill || outcome != .whole { stirs() }
        return isStill
    }
}
