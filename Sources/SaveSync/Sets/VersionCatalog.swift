public import Ledger
public import LinuxPlatform
public import SaveRules
public import Vocabulary

/// One version, for users and programs.
public struct GameVersion: Sendable {
    /// The number, which another version can have, too.
    public var number: Int { snapshot.number }
    /// The name for users, which no other version here has.
    public let name: VersionName
    /// The version as machines exchange it.
    public let snapshot: Snapshot
    /// The time at which it came to this machine.
    public let cameAt: WallTime
    /// True if all its data is here.
    public let isWhole: Bool
    /// True if the folder shows it.
    public let isShown: Bool
    /// True if users would call it the newest. In a conflict, that is the side that was saved last, or none if the
    /// clocks leave a doubt.
    public let isNewest: Bool
    /// The reason why it is not applied; nil if it may be.
    public let refusal: String?
}

/// The versions of one game, for users to look at. Nothing here waits for the folder or changes anything.
@Engine
public final class VersionCatalog {
    /// The limit of versions with one number that are read.
    private static let mostNumbered = 64

    private let set: SaveSet

    init(_ set: SaveSet) { self.set = set }

    // MARK: Finding

    /// The latest versions that are known here, in the order in which they came.
    /// - Parameter later: a version that came after all of them; nil for the newest ones
    public func latest(_ count: Int = 10_000, before later: SnapshotID? = nil) async throws -> [GameVersion] {
        try await described(try await set.services.ledger.snapshots.known(of: set.id, last: count, before: later))
    }

    /// Returns the versions among some that are known here, in the order in which they came.
    public func among(_ ids: some Sequence<SnapshotID>) async throws -> [GameVersion] {
        var known: [KnownSnapshot] = []
        for snapshot in ids {
            if let found = try await set.services.ledger.snapshots.known(snapshot, of: set.id) { known.append(found) }
        }
        return try await described(known.sorted { $0.place < $1.place })
    }

    /// Returns the version that a user means: by its name, with or without the @ that lists show before it, or by the
    /// beginning of its ID.
    public func version(_ typed: String) async throws -> GameVersion {
        let digits = typed.hasPrefix("@") ? typed.dropFirst() : typed[...]
        if let name = VersionName(digits) {
            let known = try await set.services.ledger.snapshots.known(
                of: set.id,
                numbered: name.number,
                limit: Self.mostNumbered
            )
            let found = try await described(known.filter { name.names($0.id) })
            if found.count > 1 { throw SaveSyncError.sharedNumber(name.number, found.map { "\($0.name)" }) }
            if let found = found.first { return found }
        }
        guard let names = SnapshotID.names(beginningWith: digits.lowercased()) else {
            throw SaveSyncError.unknownVersion
        }
        let found = try await described(
            try await set.services.ledger.snapshots.known(of: set.id, named: names, limit: 2)
        )
        guard let first = found.first else { throw SaveSyncError.unknownVersion }
        guard found.count == 1 else { throw SaveSyncError.ambiguousVersion }
        return first
    }

    private func described(_ known: [KnownSnapshot]) async throws -> [GameVersion] {
        let shared = try await set.services.ledger.snapshots.sharedNumbers(of: set.id)
        let newest = set.machine.heads.graph.newest(of: set.machine.heads.heads) { id in
            set.services.store.shelf.arrival(of: id, in: set.id).map { $0.time.secondsSince1970 * 1_000 }
        }
        return known.compactMap { entry in
            guard let snapshot = set.machine.heads.graph[entry.id] else { return nil }
            return GameVersion(
                name: VersionName(of: snapshot, isShared: shared.contains(snapshot.number)),
                snapshot: snapshot,
                cameAt: entry.cameAt,
                isWhole: isWhole(entry.id),
                isShown: set.machine.heads.applied == entry.id,
                isNewest: entry.id == newest,
                refusal: entry.refusal
            )
        }
    }

    private func isWhole(_ version: SnapshotID) -> Bool {
        set.machine.heads.held.contains(version) && !set.machine.downloads.incomplete.contains(version)
    }

    private func known(_ version: SnapshotID) throws(SaveSyncError) -> Snapshot {
        guard let known = set.machine.heads.graph[version] else { throw .unknownVersion }
        return known
    }

    /// Returns the number of a version, even if its files can't be read.
    public func number(of version: SnapshotID) -> Int? { set.machine.heads.graph[version]?.number }

    /// Returns the version among some that has the same files as another one.
    public func same(as made: SnapshotID?, among sides: [Snapshot]) async throws -> GameVersion? {
        guard let manifest = made.flatMap({ set.machine.heads.graph[$0] })?.manifest,
            let side = sides.first(where: { $0.manifest == manifest })
        else { return nil }
        return try await among([side.id]).first
    }

    // MARK: Files

    /// Returns summaries of the files in a version, if their format is known.
    public func summaries(of version: SnapshotID) async throws -> [FileSummary] {
        try await set.services.reader.summaries(of: known(version), set.entry)
    }

    /// Returns files that differ among some versions, and the number of further ones.
    public func comparison(of versions: [SnapshotID]) async throws -> (files: [FileComparison], others: Int) {
        let heads = set.machine.heads
        return try await set.services.reader.comparison(of: versions.compactMap { heads.graph[$0] })
    }

    /// Returns the files that each version changed after the one before it. A merge has several before it, and is left
    /// out.
    public func changes(of versions: [GameVersion]) async throws -> [SnapshotID: ManifestChanges] {
        let heads = set.machine.heads
        let pairs = versions.filter { $0.isWhole && $0.snapshot.parents.count < 2 }.map { version in
            (version.snapshot, version.snapshot.parents.first.flatMap { heads.graph[$0] })
        }
        return try await set.services.reader.changes(of: pairs)
    }

    /// Returns the first files of a version, and the number of all.
    public func files(of version: SnapshotID, limit: Int) async throws -> (files: [ManifestEntry], count: Int) {
        try await set.services.reader.files(of: known(version), limit: limit)
    }

    /// Returns the bytes of one file of a version; nil if there is no such file, or if it is larger than the limit.
    public func content(of path: String, in version: SnapshotID, limit: UInt64) async throws -> [UInt8]? {
        try await set.services.reader.content(of: path, in: known(version), limit: limit)
    }

    /// Returns the names at the top of the newest version that are not among the chosen ones here.
    public func omittedNames() async -> [FileName] {
        guard let chosen = set.entry.chosen, let newest = set.machine.heads.heads.first,
            set.machine.heads.held.contains(newest), let version = set.machine.heads.graph[newest]
        else { return [] }
        let names = (try? await set.services.reader.names(in: version, scope: set.entry.scope)) ?? []
        return names.filter { !chosen.names.contains($0) }
    }

    /// Returns a reader of a version as a tar archive. Each call gives the next part; nil at the end.
    package func archive(of version: SnapshotID) throws -> @Sendable () async throws -> [UInt8]? {
        let known = try known(version)
        guard isWhole(version) else { throw SaveSyncError.notWhole }
        let export = ArchiveExport(set.services.reader, known)
        return { try await export.next() }
    }
}
