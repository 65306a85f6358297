import Digests
import GameState
import History
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Vocabulary

/// Reads and changes folders, and merges versions. It has a thread of its own, apart from that of ``PieceService``, so
/// that the scan of a large folder holds up no peer.
actor FolderWorker {
    nonisolated let loop: EventLoop
    private let history: History
    private let readings: FolderReadings

    /// The activity of its thread; nil until the thread runs.
    nonisolated var activity: ThreadActivity? { thread.withLock { $0 } }
    private nonisolated let thread = Mutex<ThreadActivity?>(nil)
    private var lastPlace: (set: SaveSetID, place: any SavePlace)?

    /// - Parameter readings: the readings that all workers share
    init(_ history: History, _ readings: FolderReadings, on loop: EventLoop) {
        (self.history, self.readings, self.loop) = (history, readings, loop)
        loop.perform { @Sendable [weak self] in self?.thread.withLock { $0 = .current } }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// The result of a scan.
    enum Reading: Sendable {
        /// The files that belong in a version, by the pieces of their manifest.
        case version([PieceReference], isEmpty: Bool)
        /// The folder has lost its files. The rest is not stored yet.
        case emptied(EmptiedSave)
    }

    /// The changes of a folder that are held back until the user decides.
    enum Holding: Sendable {
        case nothing
        /// A change that empties the folder.
        case emptying
        /// Every change, because the folder was emptied before.
        case everything
    }

    /// The reason for a scan.
    enum Cause: Sendable {
        /// The watch reported a change. The scan may look only at the changed files.
        case change
        /// The user or a game asked. The scan looks at everything, unless a program writes there.
        case request
        /// A game has ended, and a program still writes. The scan looks at everything, in spite of it.
        case end
    }

    /// Returns the reason why a game can't be in the folder that its path leads to now; nil if it can.
    func refusal(of set: SaveSetEntry, by reserved: [ReservedPlace]) -> SaveSyncError? {
        ReservedPlace.refusal(of: set, by: reserved)
    }

    @discardableResult
    func recover(_ place: any SavePlace) throws -> SnapshotID? { try place.recover() }

    func acknowledge(_ place: any SavePlace) throws { try place.acknowledge() }

    func startFresh(_ place: any SavePlace) throws { try place.startFresh() }

    func rest(_ place: any SavePlace) throws { try place.rest() }

    /// Releases memory while there is nothing to do.
    func rest() {
        lastPlace?.place.giveBack()
        lastPlace = nil
        FreedMemory.giveBack()
    }

    /// Of all folders, only the one that was worked on last keeps in memory what its scan found.
    private func note(_ place: any SavePlace, of set: SaveSetID) {
        if let lastPlace, lastPlace.set != set { lastPlace.place.giveBack() }
        lastPlace = (set, place)
    }

    /// Scans a folder. Files of the game that this machine does not sync, such as settings of other machines, stay in
    /// the version.
    /// - Parameters:
    ///   - shown: the version that the folder shows; nil if it is not known
    ///   - newest: the version whose files that this machine does not sync are used if `shown` is nil
    ///   - own: the ID of this machine
    ///   - rereading: true to read every byte, also of files that seem unchanged
    ///   - cause: the reason for the scan; before and after a request it is checked that no program writes there
    ///   - holding: the changes that are held back until the user decides
    /// - Returns: nil if the folder changed meanwhile
    /// - Throws: ``SaveSyncError/beingWritten(by:)``
    func read(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        after shown: Snapshot?,
        beside newest: Snapshot?,
        by own: PeerID,
        rereading: Bool,
        for cause: Cause,
        holding: Holding
    ) throws -> Reading? {
        note(place, of: set.id)
        if cause == .request { try Self.requireNoWriter(in: place) }
        let batch = try history.beginBatch()
        let known = try shown.flatMap { try manifest(of: $0) }
        let kept = cause != .change ? nil : try shown.flatMap { try history.keeps($0.id) ? known : nil }
        guard let found = try place.read(into: batch, rereading: rereading, over: kept) else { return nil }
        // A program may have begun to write meanwhile.
        if cause == .request { try Self.requireNoWriter(in: place) }
        guard let shown else {
            var whole = found
            if let newest {
                whole = try Self.whole(found, after: history.manifest(of: newest), SetPlace(of: set), batch)
            }
            return try keepReading(whole, of: set, batch, isEmpty: !found.hasFiles)
        }
        guard let known else {
            let reading = try readAgain(found, of: set, after: shown, batch)
            guard case .version(let manifest, let isEmpty) = reading, manifest != shown.manifest else { return reading }
            // The manifest with the former files is damaged, so the number of missing files is unknown.
            guard holding == .everything || (holding == .emptying && isEmpty) else { return reading }
            letGo(of: set.id)
            return .emptied(EmptiedSave(removed: 0, added: found.entries.count { !$0.isFolder }))
        }
        let whole = try Self.whole(found, after: known, SetPlace(of: set), batch)
        // Some disks store no modes, or times only to the second. If an applied version differs from the folder in that
        // alone, the scan makes no new version. Otherwise two machines would answer each other for ever, and a user who
        // restores an old version would get one more.
        let isAnswer = shown.author != own || shown.origin != .captured
        if whole == known || (isAnswer && Manifest.agreement(of: whole, known) != nil) {
            // This stores pieces that the history had lost and the scan found in the folder.
            try batch.commit()
            return .version(shown.manifest, isEmpty: !whole.hasFiles)
        }
        if let emptied = Self.emptied(from: known, to: whole, holding) { return .emptied(emptied) }
        return try keepReading(whole, of: set, batch, isEmpty: !whole.hasFiles)
    }

    private static func emptied(from known: Manifest, to whole: Manifest, _ holding: Holding) -> EmptiedSave? {
        switch holding {
        case .nothing: return nil
        case .emptying: return EmptiedSave(from: known, to: whole)
        case .everything:
            let changes = ManifestChanges(from: known, to: whole)
            // All files are back, perhaps with other contents. That is a save like any other.
            guard changes.removed > 0 else { return nil }
            // The game may also have written over the remaining files.
            return EmptiedSave(removed: changes.removed, added: changes.added + changes.changed)
        }
    }

    private static func requireNoWriter(in place: any SavePlace) throws {
        // If this check fails, the scan fails as well and reports the reason.
        if let who = (try? place.writer()) ?? nil { throw SaveSyncError.beingWritten(by: who) }
    }

    /// Returns the manifest of a version; nil if it is damaged here, or was discarded.
    private func manifest(of version: Snapshot) throws(HistoryError) -> Manifest? {
        do throws(HistoryError) { return try history.manifest(of: version) } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    /// Returns the result of a scan if the manifest of the version before can't be read. If the files are the same,
    /// this stores the lost pieces again. Otherwise they become a new version.
    /// - Throws: ``SaveSyncError/lost(_:of:)`` if that version may have files that this machine does not sync. To take
    ///   them from an older version would undo changes of other machines.
    private func readAgain(
        _ found: Manifest,
        of set: SaveSetEntry,
        after shown: Snapshot,
        _ batch: HistoryBatch
    ) throws -> Reading {
        let settings = SetPlace(of: set)
        var whole = found
        if settings.extent != .everything || settings.scope != SetScope(), let known = try newestKnown(of: set.id) {
            whole = try Self.whole(found, after: known, settings, batch)
        }
        let pieces = try batch.put(whole)
        if pieces == shown.manifest {
            try batch.commit()
        } else {
            guard settings.sharesAll else { throw SaveSyncError.lost(shown.id, of: set.name) }
            readings.put(batch, of: set.id)
        }
        return .version(pieces, isEmpty: !whole.hasFiles)
    }

    /// Returns the manifest of the newest version whose manifest can be read; nil if there is none.
    private func newestKnown(of set: SaveSetID) throws -> Manifest? {
        for version in try history.snapshots(of: set).reversed() {
            if let known = try manifest(of: version) { return known }
        }
        return nil
    }

    /// Returns the entries that a scan found, together with those of the version before that this machine does not
    /// sync.
    private static func whole(
        _ found: Manifest,
        after known: Manifest,
        _ place: SetPlace,
        _ batch: HistoryBatch
    ) throws -> Manifest {
        let here = place.shared(of: known)
        guard here != known else { return found }
        var (folders, rest) = (Set(found.entries.lazy.filter(\.isFolder).map(\.path)), [ManifestEntry]())
        for entry in known.entries where here[entry.path] == nil && found[entry.path] == nil {
            // If a folder is gone, the entries in it are gone, too. All other entries stay.
            guard entry.path.parent.map(folders.contains) ?? true else { continue }
            rest.append(entry)
            if entry.isFolder { folders.insert(entry.path) }
            for piece in entry.file?.pieces ?? [] { _ = try batch.claim(piece.id) }
        }
        return try Manifest(sorting: found.entries + rest)
    }

    private func keepReading(
        _ whole: Manifest,
        of set: SaveSetEntry,
        _ batch: HistoryBatch,
        isEmpty: Bool
    ) throws -> Reading {
        let pieces = try batch.put(whole)
        readings.put(batch, of: set.id)
        return .version(pieces, isEmpty: isEmpty)
    }

    /// Discards the contents that were read and not stored.
    func letGo(of set: SaveSetID) { _ = readings.take(of: set) }

    /// Stores versions of this machine durably. Their contents were read or put just before, or are here already.
    func keep(_ snapshots: [Snapshot], of set: SaveSetID) throws {
        let batch = try readings.take(of: set) ?? history.beginBatch()
        for snapshot in snapshots { try batch.append(snapshot) }
    }

    /// The result of applying a version.
    enum Outcome: Sendable {
        case changed(PlaceChange)
        case refused(any ExplainedError)
    }

    /// Checks the files that are new in a version, and applies the version.
    func show(
        _ target: Snapshot,
        in place: any SavePlace,
        over shown: Snapshot?,
        _ bounds: SaveBounds
    ) throws -> Outcome {
        note(place, of: target.set)
        let wanted = try history.manifest(of: target)
        // The next scan finds out what the folder holds.
        guard let base = try shown.map({ try self.base(of: $0, in: place) }) ?? .empty else {
            return .changed(.changedMeanwhile)
        }
        do {
            try ArrivalCheck(history, limit: bounds.archiveByteCount).check(wanted, replacing: base)
        } catch let refusal as ArrivalRefusal {
            return .refused(refusal)
        }
        return .changed(try place.change(to: wanted, as: target.id, over: base, from: history))
    }

    /// Returns the manifest of the version that a folder shows. If it is damaged here, it is made from the folder; nil
    /// if the folder holds something else.
    private func base(of shown: Snapshot, in place: any SavePlace) throws -> Manifest? {
        if let known = try manifest(of: shown) { return known }
        let batch = try history.beginBatch()
        guard let found = try place.read(into: batch, rereading: false, over: nil),
            try batch.put(found) == shown.manifest
        else { return nil }
        try batch.commit()
        return found
    }

    /// True if other settings add files of a version to the folder. A file that is in no version yet does not count: it
    /// is a change like any other.
    func extends(_ shown: Snapshot, from former: SetPlace, to settings: SetPlace) throws -> Bool {
        let whole = try history.manifest(of: shown)
        let before = former.shared(of: whole)
        return settings.shared(of: whole).entries.contains { before[$0.path] == nil }
    }

    /// True if other settings add a file of a version to the folder, and the folder already has a file in its place.
    func isTaken(_ place: any SavePlace, from former: SetPlace, with shown: Snapshot) throws -> Bool {
        guard let found = try place.read(into: history.beginBatch(), rereading: false, over: nil) else { return false }
        let whole = try history.manifest(of: shown)
        let before = former.shared(of: whole)
        return found.entries.contains { $0.file != nil && before[$0.path] == nil && whole[$0.path] != nil }
    }

    /// Adds to the folder the files that other settings add of the version that it shows.
    func extend(
        _ place: any SavePlace,
        from former: SetPlace,
        with shown: Snapshot,
        _ bounds: SaveBounds
    ) throws -> PlaceChange {
        let wanted = try history.manifest(of: shown)
        let before = former.shared(of: wanted)
        try ArrivalCheck(history, limit: bounds.archiveByteCount).check(wanted, replacing: before)
        return try place.change(to: wanted, as: shown.id, over: before, from: history)
    }

    /// Uses another folder for a game: checks if it holds a version, and applies that version if the folder is empty.
    /// - Parameter mayFill: true if the version may be applied to an empty folder
    /// - Returns: true if the folder shows the version now
    func moveIn(
        _ place: any SavePlace,
        with version: Snapshot,
        mayFill: Bool,
        _ bounds: SaveBounds
    ) throws -> Bool {
        let wanted = try history.manifest(of: version)
        if case .done = try place.change(to: wanted, as: version.id, over: wanted, from: history) { return true }
        guard mayFill else { return false }
        try ArrivalCheck(history, limit: bounds.archiveByteCount).check(wanted, replacing: .empty)
        return try place.change(to: wanted, as: version.id, over: .empty, from: history) == .done
    }

    /// Merges two versions, and returns the pieces of the new manifest.
    /// - Parameters:
    ///   - common: the newest common ancestors of both: one, unless both were merged before in different ways
    ///   - favourite: the side whose file stays if no rule merges it; nil to merge nothing then
    ///   - limit: the largest number of undecided files that are named
    func merge(
        _ one: Snapshot,
        _ other: Snapshot,
        common: [Snapshot],
        of set: SaveSetEntry,
        favouring favourite: SnapshotID?,
        namingAtMost limit: Int
    ) throws -> SaveMerge.Outcome<[PieceReference]> {
        let batch = try history.beginBatch()
        let sides = [one, other].sorted { $0.id < $1.id }
        let rules = try set.rules.map { try GameRules(parsing: $0) } ?? GameRules()
        let base = common.count == 1 ? common[0] : nil
        let known = try base.flatMap { try history.keeps($0.id) ? history.manifest(of: $0) : nil }
        let merge = SaveMerge(
            history,
            batch,
            rules: set.rules == nil ? nil : rules.merging,
            favourite: favourite.map { $0 == sides[0].id ? .one : .other },
            hasLostBase: known == nil && !common.isEmpty
        )
        let merged = try merge.merged(
            base: known,
            one: try history.manifest(of: sides[0]),
            other: try history.manifest(of: sides[1]),
            namingAtMost: limit
        )
        switch merged {
        case .undecided(let paths): return .undecided(paths)
        case .merged(let manifest):
            let pieces = try batch.put(manifest)
            readings.put(batch, of: set.id)
            return .merged(pieces)
        }
    }

    /// Puts one file into a version, and returns the pieces of the new manifest.
    func delivered(
        _ contents: [UInt8],
        at path: SavePath,
        over head: Snapshot,
        of set: SaveSetEntry
    ) throws -> [PieceReference] {
        let (batch, manifest) = (try history.beginBatch(), try history.manifest(of: head))
        let leadsThere = path.parent.map { manifest[$0]?.isFolder == true } ?? true
        guard leadsThere, manifest[path].map({ $0.file != nil }) ?? true, SetPlace(of: set).shares(path) else {
            throw SaveSyncError.noPlace(path)
        }
        for piece in manifest.pieces { _ = try batch.claim(piece.id) }
        let (old, pieces) = (manifest[path]?.file, try batch.put(contents: contents))
        guard old?.pieces != pieces else { return head.manifest }
        let file = SavedFile(mode: old?.mode ?? .readableFile, modified: .now, pieces: pieces)
        let rest = manifest.entries.filter { $0.path != path }
        let made = try batch.put(try Manifest(sorting: rest + [ManifestEntry(path, .file(file))]))
        readings.put(batch, of: set.id)
        return made
    }

    /// Reads a folder of Huddle's own as a version of a game, and returns the pieces of its manifest. Files that this
    /// machine does not sync stay as they are in the version before.
    func imported(_ files: String, notes: String, over head: Snapshot, of set: SaveSetEntry) throws -> [PieceReference]
    {
        var place = SetPlace(of: set)
        place.root = files
        let (batch, folder) = (
            try history.beginBatch(), FolderPlace(folder: try SaveFolder(set.id, at: place, notes: notes))
        )
        guard let found = try folder.read(into: batch, rereading: true, over: nil) else {
            throw SaveSyncError.folderStirs
        }
        guard found.entries.contains(where: { !$0.isFolder }) else { throw SaveSyncError.nothingToImport(set.name) }
        let whole = try Self.whole(found, after: history.manifest(of: head), SetPlace(of: set), batch)
        let made = try batch.put(whole)
        readings.put(batch, of: set.id)
        return made
    }

    /// Stores the files of a device as a version of a game, and returns the pieces of its manifest. Files that this
    /// machine does not sync stay as they are in the version before.
    func foreign(
        _ tree: ForeignTree,
        over base: Snapshot?,
        of set: SaveSetEntry,
        limit: UInt64
    ) throws -> [PieceReference] {
        let (batch, place) = (try history.beginBatch(), SetPlace(of: set))
        let before = try base.map { try history.manifest(of: $0) } ?? .empty
        let found = try tree.manifest(over: place.shared(of: before), in: place, batch)
        guard found.size.bytes <= limit else { throw SaveSyncError.foreignTooLarge(set.name) }
        guard EmptiedSave(from: place.shared(of: before), to: found) == nil else {
            throw SaveSyncError.foreignEmptied(set.name)
        }
        let made = try batch.put(try Self.whole(found, after: before, place, batch))
        readings.put(batch, of: set.id)
        return made
    }

    /// Returns the pieces of some versions, each with its size on the disk.
    func stored(_ snapshots: [SnapshotID]) throws -> [SnapshotID: [(piece: PieceID, byteCount: UInt64)]] {
        var stored: [SnapshotID: [(piece: PieceID, byteCount: UInt64)]] = [:]
        for id in snapshots {
            guard try history.keeps(id), let snapshot = try history.snapshot(id) else { continue }
            // Of a damaged version, the pieces that are known to be here count.
            let pieces = snapshot.manifest + ((try? history.manifest(of: snapshot)).map(\.pieces) ?? [])
            stored[id] = try pieces.map { ($0.id, try history.storedSize(of: $0.id)?.bytes ?? 0) }
        }
        return stored
    }
}
