public import History
public import Ledger
import LinuxPlatform
public import SaveRules
public import Vocabulary

/// What people do with versions.
extension SaveKeeper {
    /// One version, for people and programs.
    public struct Version: Sendable {
        /// The number, which another version can have, too.
        public var number: Int { snapshot.number }
        /// The name for people, which no other version here has.
        public let name: VersionName
        /// The snapshot.
        public let snapshot: Snapshot
        /// When it came to this machine.
        public let cameAt: WallTime
        /// Whether all that it holds is here.
        public let isWhole: Bool
        /// Whether the folder shows it.
        public let isShown: Bool
        /// Whether people would call it the newest. Of several that were saved apart it is the one that was saved last, or none where clocks
        /// leave a doubt.
        public let isNewest: Bool
        /// Why it is not put into the folder; nil where nothing speaks against it.
        public let refusal: String?
    }

    /// The latest versions of a set that are known here, in the order in which they came.
    public func versions(of id: SaveSetID, last count: Int = 10_000) async throws -> [Version] {
        let set = try set(id)
        return try await versions(try await services.ledger.knownSnapshots(of: id, last: count), of: set)
    }

    private func versions(_ known: [KnownSnapshot], of set: SaveSetRunner) async throws -> [Version] {
        let shared = try await services.ledger.sharedNumbers(of: set.id)
        let newest = set.machine.heads.graph.newest(of: set.machine.heads.heads) { id in
            services.store.shelf.arrival(of: id, in: set.id).map { $0.time.secondsSince1970 * 1_000 }
        }
        return known.compactMap { entry in
            guard let snapshot = set.machine.heads.graph[entry.id] else { return nil }
            return Version(
                name: VersionName(of: snapshot, isShared: shared.contains(snapshot.number)),
                snapshot: snapshot,
                cameAt: entry.cameAt,
                isWhole: set.machine.heads.held.contains(entry.id)
                    && !set.machine.downloads.incomplete.contains(entry.id),
                isShown: set.machine.heads.applied == entry.id,
                isNewest: entry.id == newest,
                refusal: entry.refusal
            )
        }
    }

    /// Those of some versions that are known here, in the order in which they came.
    public func versions(_ ids: some Sequence<SnapshotID>, of id: SaveSetID) async throws -> [Version] {
        let set = try set(id)
        var known: [KnownSnapshot] = []
        for snapshot in ids {
            if let found = try await services.ledger.knownSnapshot(snapshot, of: id) { known.append(found) }
        }
        return try await versions(known.sorted { $0.place < $1.place }, of: set)
    }

    /// The number of a version, also of one whose files can't be read.
    public func number(of snapshot: SnapshotID, in id: SaveSetID) -> Int? {
        sets[id]?.machine.heads.graph[snapshot]?.number
    }

    /// The version that a person means: by its name, with the @ that lists show before it or without, or by the beginning of its id.
    public func version(_ typed: String, of id: SaveSetID) async throws -> Version {
        let set = try set(id)
        let digits = typed.hasPrefix("@") ? typed.dropFirst() : typed[...]
        if let name = VersionName(digits) {
            let known = try await services.ledger.knownSnapshots(
                of: id,
                numbered: name.number,
                limit: Self.mostNumbered
            )
            let found = try await versions(known.filter { name.names($0.id) }, of: set)
            if found.count > 1 { throw SaveSyncError.sharedNumber(name.number, found.map { "\($0.name)" }) }
            if let found = found.first { return found }
        }
        guard let names = SnapshotID.names(beginningWith: digits.lowercased()) else {
            throw SaveSyncError.unknownVersion
        }
        let found = try await versions(
            try await services.ledger.knownSnapshots(of: id, named: names, limit: 2),
            of: set
        )
        guard let first = found.first else { throw SaveSyncError.unknownVersion }
        guard found.count == 1 else { throw SaveSyncError.ambiguousVersion }
        return first
    }

    /// How many versions of one number are looked at.
    private static let mostNumbered = 64

    /// What a version says, file by file, as far as its files are understood.
    public func summaries(of snapshot: SnapshotID, in id: SaveSetID) async throws -> [FileSummary] {
        let set = try set(id)
        guard let known = set.machine.heads.graph[snapshot] else { throw SaveSyncError.unknownVersion }
        return try await services.reader.summaries(of: known, set.entry)
    }

    /// Files that differ among some versions, and how many more do.
    public func comparison(
        of versions: [SnapshotID],
        in id: SaveSetID
    ) async throws -> (files: [FileComparison], others: Int) {
        let heads = try set(id).machine.heads
        return try await services.reader.comparison(of: versions.compactMap { heads.graph[$0] })
    }

    /// How many files each version has changed after the one before it. A merge has no single one before it.
    public func changes(of versions: [Version], in id: SaveSetID) async throws -> [SnapshotID: ManifestChanges] {
        let heads = try set(id).machine.heads
        let pairs = versions.filter { $0.isWhole && $0.snapshot.parents.count < 2 }.map { version in
            (version.snapshot, version.snapshot.parents.first.flatMap { heads.graph[$0] })
        }
        return try await services.reader.changes(of: pairs)
    }

    /// Files of a version, the first few, and how many there are.
    public func files(
        of snapshot: SnapshotID,
        in id: SaveSetID,
        limit: Int
    ) async throws -> (files: [ManifestEntry], count: Int) {
        guard let known = try set(id).machine.heads.graph[snapshot] else { throw SaveSyncError.unknownVersion }
        return try await services.reader.files(of: known, limit: limit)
    }

    /// The bytes of one file of a version; nil if it has no such file, or one that is larger than the limit.
    public func content(
        of path: String,
        in snapshot: SnapshotID,
        of id: SaveSetID,
        limit: UInt64
    ) async throws -> [UInt8]? {
        guard let known = try set(id).machine.heads.graph[snapshot] else { throw SaveSyncError.unknownVersion }
        return try await services.reader.content(of: path, in: known, limit: limit)
    }

    /// Makes a new version of what an old one held. Nothing is undone, so this can be undone in the same way.
    @discardableResult
    public func restore(_ snapshot: SnapshotID, of id: SaveSetID, note: Label? = nil) async throws -> SnapshotID {
        let (time, seal) = (services.clock(), services.seal)
        return try await alone(id) { set in
            if let reason = set.machine.quarantine[snapshot] { throw SaveSyncError.refusedSnapshot(reason) }
            if set.machine.downloads.incomplete.contains(snapshot) { throw SaveSyncError.notWhole }
            // What follows it now must not make it one that is too old to be kept.
            set.handle(.versions(.restoring([snapshot])))
            defer { set.handle(.versions(.restoring([]))) }
            // What the game has saved and nobody has read yet must not be lost under what is restored.
            if set.machine.problems.emptied == nil { try await set.steps.readSaved() }
            let left = set.machine.problems.emptied == nil ? nil : try await set.steps.reading(asking: true, .nothing)
            var made: [Snapshot] = []
            try await set.versions.commit { heads in
                // What an emptied folder holds is kept in the same step: no machine is to show it.
                if case .version(let manifest, let isEmpty) = left {
                    made +=
                        heads.capture(manifest, isEmpty: isEmpty, at: time, sealedBy: seal).snapshot.map { [$0] } ?? []
                }
                let done = try heads.restore(snapshot, at: time, note: note, sealedBy: seal)
                made += done.snapshots
                return (made, done.actions)
            }
            try await set.steps.noteEmptied(nil)
            let version = made.last?.id ?? snapshot
            set.note("save-restored", [.init("snapshot", snapshot.short), .init("made", version.short)])
            // Whoever asked for it looks into the folder next. What keeps it from there now is tried again by itself.
            if set.machine.heads.pending == version { await set.steps.show(version) }
            return version
        }
    }

    /// How a person ends a conflict.
    public enum Choice: Hashable, Sendable {
        /// With what this machine's folder shows.
        case mine
        /// With the other side.
        case theirs
        /// With a side, by one of its versions: what that machine has saved since counts, too.
        case side(SnapshotID)
        /// With a certain version.
        case version(SnapshotID)
        /// By the rules; of files that no rule merges, with those of that version. Without one, such a file keeps the conflict open.
        case merge(favouring: SnapshotID?)

        fileprivate var word: String {
            switch self {
            case .mine: "mine"
            case .theirs: "theirs"
            case .side: "machine"
            case .version: "version"
            case .merge: "merge"
            }
        }
    }

    /// Ends a conflict, on all machines.
    @discardableResult
    public func resolve(_ id: SaveSetID, _ choice: Choice, note: Label? = nil) async throws -> SnapshotID? {
        let (time, seal) = (services.clock(), services.seal)
        return try await alone(id) { set in
            // What is being saved just now would stand beside what was chosen. What can't be read otherwise keeps nobody from choosing.
            do { try await set.steps.readSaved() } catch let error as SaveSyncError where error.isWriting {
                throw error
            } catch {}
            let chosen = try await self.conflictChoice(choice, in: set)
            var made: SnapshotID?
            try await set.versions.commit { heads in
                // Another version of that side may have come, or have been read just now.
                var chosen = chosen
                if case .side(let id) = choice { chosen = .snapshot(heads.side(of: id)) }
                let done = try heads.resolve(chosen, at: time, note: note, sealedBy: seal)
                made = done.snapshots.last?.id
                return (done.snapshots, done.actions)
            }
            let followed = made.map { [AuditEntry.Detail("snapshot", $0.short)] } ?? []
            set.note("conflict-resolved", [.init("choice", choice.word)] + followed)
            // Whoever chose goes on with it next.
            if let chosen = set.machine.heads.pending, set.machine.heads.held.contains(chosen) {
                await set.steps.show(chosen)
            }
            return made
        }
    }

    /// Whether rules merge all that differs between the two sides of a conflict, as after a person gave the game new rules.
    public func canMerge(_ id: SaveSetID) async throws -> Bool {
        let set = try set(id)
        let sides = set.machine.heads.heads
        guard sides.count == 2, case .merged = try await set.steps.mergedManifest(of: sides[0], sides[1]) else {
            return false
        }
        return true
    }

    /// Which of some versions holds what another one holds, file by file.
    public func same(
        as made: SnapshotID?,
        of id: SaveSetID,
        among sides: [Snapshot]
    ) async throws -> Version? {
        guard let manifest = try made.flatMap({ try set(id).machine.heads.graph[$0] })?.manifest,
            let side = sides.first(where: { $0.manifest == manifest })
        else { return nil }
        return try await versions([side.id], of: id).first
    }

    private func conflictChoice(_ choice: Choice, in set: SaveSetRunner) async throws -> ConflictChoice {
        switch choice {
        case .mine: return .mine
        case .theirs: return .theirs
        case .side(let id), .version(let id): return .snapshot(id)
        case .merge(let typed):
            let (sides, favourite) = (set.machine.heads.heads, typed.map(set.machine.heads.side))
            guard sides.count == 2 else { throw ChoiceRefusal(sides.count < 2 ? .noConflict : .severalOthers) }
            guard favourite.map(sides.contains) != false else { throw SaveSyncError.nothingMergeable }
            switch try await set.steps.mergedManifest(
                of: sides[0],
                sides[1],
                favouring: favourite,
                namingAtMost: SaveSyncError.mostNamed + 1
            ) {
            case .merged(let pieces): return .merge(pieces)
            case .undecided(let paths): throw SaveSyncError.undecided(paths)
            case nil: throw SaveSyncError.nothingMergeable
            }
        }
    }

    /// Reads a set's folder now, every byte of it if that is wanted.
    /// - Throws: also where somebody has a file of it open for writing: what lies there may be half of a save
    ///
    /// - Parameter isSent: whether a folder that lost its files is sent as it is
    public func read(_ id: SaveSetID, toTheLastByte: Bool = false, sendingEmptied isSent: Bool = false) async throws {
        try await alone(id) { set in
            try await set.steps.read(rereading: toTheLastByte, asking: true, sendingEmptied: isSent)
        }
    }

    /// What the history takes on the disk.
    public func usage() async throws -> HistoryUsage { try await services.maintenance.usage() }

    /// Reads the whole history, and says what is damaged.
    /// - Parameter repairing: whether what is damaged is given up, so that it can come again
    public func check(repairing: Bool = false) async throws -> HistoryCheck {
        let check = try await services.maintenance.check(repairing: repairing)
        guard repairing else { return check }
        let touched = check.touched.map(\.snapshot)
        // First what can be said without any set's folder: a disk that gives no answer keeps no other set from that.
        for id in Array(sets.keys) { await sets[id]?.repair.noteLacking(touched) }
        await withEachSet { id in await self.sets[id]?.repair.keepAnew(touched) }
        return check
    }

    /// Does something with each set beside the others. Where a disk gives no answer, that is told otherwise, and the rest is done once it does.
    func withEachSet(_ body: @escaping @Engine @Sendable (SaveSetID) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for set in sets.values { group.addTask { await Self.work(at: set, body) } }
        }
    }

    private static func work(at set: SaveSetRunner, _ body: @escaping @Engine @Sendable (SaveSetID) async -> Void) async
    {
        _ = try? await set.set.whileDiskAnswers { await body(set.id) }
    }

    /// How many versions lack what was given up as damaged, and neither a folder nor a peer has brought again so far.
    public var lackingCount: Int {
        sets.values.reduce(0) { $0 + $1.machine.downloads.incomplete.count }
    }

    /// Waits until nothing is left to do for a set without a person, as far as this machine knows.
    public func untilQuiet(_ id: SaveSetID) async throws { try await untilQuiet(id, isNewestWanted: false) }

    func untilQuiet(_ id: SaveSetID, isNewestWanted: Bool) async throws {
        let set = try set(id)
        try await set.untilQuiet(isNewestWanted: isNewestWanted)
        guard set.machine.life != .left else { throw SaveSyncError.unknownSet(id.description) }
    }
}
