import Digests
import GameState
import History
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Synchronization
import Vocabulary

/// The folders at work: reading, changing, merging, looking into saves. It has a thread of its own, beside that of
/// ``PieceService``, so that a large folder that is read holds up no peer.
actor FolderWorker {
    nonisolated let loop: EventLoop
    private let history: History
    private let readings: FolderReadings

    /// What its thread does; nil until that runs.
    nonisolated var activity: ThreadActivity? { thread.withLock { $0 } }
    private nonisolated let thread = Mutex<ThreadActivity?>(nil)

    /// - Parameter readings: those of all workers
    init(_ history: History, _ readings: FolderReadings, on loop: EventLoop) {
        (self.history, self.readings, self.loop) = (history, readings, loop)
        loop.perform { @Sendable [weak self] in self?.thread.withLock { $0 = .current } }
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// What was read of a folder.
    enum Reading: Sendable {
        /// It holds this, by the pieces of its manifest.
        case version([PieceReference], isEmpty: Bool)
        /// It has lost its files, and what it holds is not kept yet.
        case emptied(EmptiedSave)
    }

    /// What of a folder's changes is held back until a person decides.
    enum Holding: Sendable {
        case nothing
        /// A change that empties it.
        case emptying
        /// Every change: it was emptied before.
        case everything
    }

    /// Why a set must not lie where its path leads now.
    func refusal(of set: SaveSetEntry, by reserved: [ReservedPlace]) -> SaveSyncError? {
        ReservedPlace.refusal(of: set, by: reserved)
    }

    @discardableResult
    func recover(_ place: any SavePlace) throws -> SnapshotID? { try place.recover() }

    func acknowledge(_ place: any SavePlace) throws { try place.acknowledge() }

    func startFresh(_ place: any SavePlace) throws { try place.startFresh() }

    func rest(_ place: any SavePlace) throws { try place.rest() }

    /// There is nothing to do for now.
    func rest() { FreedMemory.giveBack() }

    /// Reads a folder. What the set has that is none of this machine's matter, such as settings of other machines,
    /// stays in it.
    /// - Parameters:
    ///   - shown: what the folder shows as far as is known
    ///   - newest: where that is not known, a version that has what is none of this machine's matter
    ///   - own: who we are
    ///   - asking: whether nobody has looked who writes there
    ///   - holding: what is held back until a person decides
    /// - Returns: nil where it changed meanwhile
    /// - Throws: ``SaveSyncError/beingWritten(by:)``
    func read(
        _ place: any SavePlace,
        of set: SaveSetEntry,
        after shown: Snapshot?,
        beside newest: Snapshot?,
        by own: PeerID,
        rereading: Bool,
        asking: Bool,
        holding: Holding
    ) throws -> Reading? {
        if asking { try Self.requireNoWriter(in: place) }
        let batch = try history.beginBatch()
        guard let found = try place.read(into: batch, rereading: rereading) else { return nil }
        // One may have begun meanwhile.
        if asking { try Self.requireNoWriter(in: place) }
        guard let shown else {
            var whole = found
            if let newest {
                whole = try Self.whole(found, after: history.manifest(of: newest), SetPlace(of: set), batch)
            }
            return try keepReading(whole, of: set, batch, isEmpty: found.entries.isEmpty)
        }
        guard let known = try manifest(of: shown) else {
            let reading = try readAgain(found, of: set, after: shown, batch)
            guard case .version(let manifest, let isEmpty) = reading, manifest != shown.manifest else { return reading }
            // The list of the files that were there is damaged.
            guard holding == .everything || (holding == .emptying && isEmpty) else { return reading }
            letGo(of: set.id)
            return .emptied(EmptiedSave(removed: 0, added: found.entries.count { !$0.isFolder }))
        }
        let whole = try Self.whole(found, after: known, SetPlace(of: set), batch)
        // Some disks keep no modes, or times by the second. What was put there from history is not made anew for that,
        // or two machines would answer each other for ever, and who brings an old version back would get a further one.
        let isAnswer = shown.author != own || shown.origin != .captured
        if whole == known || (isAnswer && Manifest.agreement(of: whole, known) != nil) {
            // What was lost of it and was found again in the folder.
            try batch.commit()
            return .version(shown.manifest, isEmpty: whole.entries.isEmpty)
        }
        if let emptied = Self.emptied(from: known, to: whole, holding) { return .emptied(emptied) }
        return try keepReading(whole, of: set, batch, isEmpty: whole.entries.isEmpty)
    }

    private static func emptied(from known: Manifest, to whole: Manifest, _ holding: Holding) -> EmptiedSave? {
        switch holding {
        case .nothing: return nil
        case .emptying: return EmptiedSave(from: known, to: whole)
        case .everything:
            let changes = ManifestChanges(from: known, to: whole)
            // All files are back, whatever they hold now: that is a save like any other.
            guard changes.removed > 0 else { return nil }
            // The game may also have written over what was left.
            return EmptiedSave(removed: changes.removed, added: changes.added + changes.changed)
        }
    }

    private static func requireNoWriter(in place: any SavePlace) throws {
        // Where that can't be looked at, nor can it be read, which is told then.
        if let who = (try? place.writer()) ?? nil { throw SaveSyncError.beingWritten(by: who) }
    }

    /// What a version holds; nil where that is damaged here, or was given up.
    private func manifest(of version: Snapshot) throws(HistoryError) -> Manifest? {
        do throws(HistoryError) { return try history.manifest(of: version) } catch {
            guard error.isLoss else { throw error }
            return nil
        }
    }

    /// What was found where nobody knows any more what the version before it held: the same, which is kept anew by
    /// that, or something new.
    /// - Throws: ``SaveSyncError/lost(_:of:)`` where that version may hold what is none of this machine's matter. To
    ///   have it from an older one would take back what others did.
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
        return .version(pieces, isEmpty: whole.entries.isEmpty)
    }

    /// What the newest version holds of which that is known.
    private func newestKnown(of set: SaveSetID) throws -> Manifest? {
        for version in try history.snapshots(of: set).reversed() {
            if let known = try manifest(of: version) { return known }
        }
        return nil
    }

    /// What was found, and what of the set is not this machine's to have or to take away.
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
            // What lies in a folder that is no more goes with it, and nothing else.
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

    /// What was read is not to be kept.
    func letGo(of set: SaveSetID) { _ = readings.take(of: set) }

    /// Keeps snapshots of one's own for good; what they hold was read or put just before, or is here already.
    func keep(_ snapshots: [Snapshot], of set: SaveSetID) throws {
        let batch = try readings.take(of: set) ?? history.beginBatch()
        for snapshot in snapshots { try batch.append(snapshot) }
    }

    /// What came of making a folder show a snapshot.
    enum Outcome: Sendable {
        case changed(PlaceChange)
        case refused(any ExplainedError)
    }

    /// Looks at what is new in a snapshot, and makes a folder show it.
    func show(
        _ target: Snapshot,
        in place: any SavePlace,
        over shown: Snapshot?,
        _ bounds: SaveBounds
    ) throws -> Outcome {
        let wanted = try history.manifest(of: target)
        // Reading says then what the folder holds.
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

    /// What a folder holds that shows a version; nil where that is damaged here and the folder holds something else.
    private func base(of shown: Snapshot, in place: any SavePlace) throws -> Manifest? {
        if let known = try manifest(of: shown) { return known }
        let batch = try history.beginBatch()
        guard let found = try place.read(into: batch, rereading: false), try batch.put(found) == shown.manifest else {
            return nil
        }
        try batch.commit()
        return found
    }

    /// Whether other settings bring something of a version into a folder. What is in none yet is new, like any change.
    func extends(_ shown: Snapshot, from former: SetPlace, to settings: SetPlace) throws -> Bool {
        let whole = try history.manifest(of: shown)
        let before = former.shared(of: whole)
        return settings.shared(of: whole).entries.contains { before[$0.path] == nil }
    }

    /// Whether a file lies in the folder already where other settings bring one of a version there.
    func isTaken(_ place: any SavePlace, from former: SetPlace, with shown: Snapshot) throws -> Bool {
        guard let found = try place.read(into: history.beginBatch(), rereading: false) else { return false }
        let whole = try history.manifest(of: shown)
        let before = former.shared(of: whole)
        return found.entries.contains { $0.file != nil && before[$0.path] == nil && whole[$0.path] != nil }
    }

    /// Puts into a folder what other settings bring there of the version that it shows.
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

    /// Looks whether a folder that was not the set's before holds a version, and puts it there where the folder is
    /// empty. Answers whether it shows it then.
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

    /// What two sides hold together, by the pieces of its manifest.
    /// - Parameters:
    ///   - common: the newest that both come from: one, unless they were merged before in different ways
    ///   - favourite: which side's file stays if no rule merges it; nil if then nothing is merged
    ///   - limit: how many of the files that a person has to choose between are named
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

    /// What a snapshot holds with one file in its place, by the pieces of its manifest.
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

    /// The files in a folder of Huddle's own as a version of a set, by the pieces of its manifest. Files that are not
    /// this machine's stay as they are in the version before.
    func imported(_ files: String, notes: String, over head: Snapshot, of set: SaveSetEntry) throws -> [PieceReference]
    {
        var place = SetPlace(of: set)
        place.root = files
        let (batch, folder) = (
            try history.beginBatch(), FolderPlace(folder: try SaveFolder(set.id, at: place, notes: notes))
        )
        guard let found = try folder.read(into: batch, rereading: true) else { throw SaveSyncError.folderStirs }
        guard found.entries.contains(where: { !$0.isFolder }) else { throw SaveSyncError.nothingToImport(set.name) }
        let whole = try Self.whole(found, after: history.manifest(of: head), SetPlace(of: set), batch)
        let made = try batch.put(whole)
        readings.put(batch, of: set.id)
        return made
    }

    /// What a device has of a game as a version of it, by the pieces of its manifest. Files that are not this machine's
    /// stay as they are in the version before.
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

    /// The pieces of some snapshots, and what each takes on the disk.
    func stored(_ snapshots: [SnapshotID]) throws -> [SnapshotID: [(piece: PieceID, byteCount: UInt64)]] {
        var stored: [SnapshotID: [(piece: PieceID, byteCount: UInt64)]] = [:]
        for id in snapshots {
            guard try history.keeps(id), let snapshot = try history.snapshot(id) else { continue }
            // Of a damaged one all that is known to be there counts.
            let pieces = snapshot.manifest + ((try? history.manifest(of: snapshot)).map { Array($0.pieces) } ?? [])
            stored[id] = try pieces.map { ($0.id, try history.storedSize(of: $0.id)?.bytes ?? 0) }
        }
        return stored
    }
}
