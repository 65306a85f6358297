import Digests
import LinuxPlatform
import SaveRules
import SaveSync
import SyncthingBridge
import Vocabulary

/// A game that is shared with a device: what the device has saved becomes versions, and newest versions are announced.
@Engine final class DeviceFolder {
    let share: SyncthingSettings.Share
    /// The folder, once its state is read.
    private(set) var folder: SharedFolder?
    /// The reason why nothing is synced; nil while all is well.
    private(set) var trouble: (any Error)?
    private let household: DeviceID
    private let games: any BridgedGames
    private let store: SyncthingStore
    private let key: String
    private let device: @Engine @Sendable () -> DeviceName
    private let tell: @Engine @Sendable (SyncthingBridgeEvent) -> Void
    private let blocks: BlockTable
    private var fetched: FetchedBlocks
    private var fetchCount = 0
    /// The version that the folder has learned of last.
    private var newest: (version: SnapshotID, manifest: Manifest)?
    private var lastUpdate: Task<Void, Never>?
    private var retry: ScheduledTimer?

    /// The time without a change after which a device's index counts as quiet.
    private static let quietPeriod = Duration.seconds(2)
    private static let retryPause = Duration.seconds(30)

    /// - Parameters:
    ///   - household: the id of this household
    ///   - device: the device's present name
    ///   - tell: receives what happens
    init(
        _ share: SyncthingSettings.Share,
        with id: DeviceID,
        as household: DeviceID,
        _ games: any BridgedGames,
        _ store: SyncthingStore,
        named device: @escaping @Engine @Sendable () -> DeviceName,
        telling tell: @escaping @Engine @Sendable (SyncthingBridgeEvent) -> Void
    ) {
        (self.share, self.household, self.games, self.store) = (share, household, games, store)
        (self.device, self.tell) = (device, tell)
        key = SyncthingStore.key(share, with: id)
        blocks = BlockTable(games)
        fetched = FetchedBlocks(in: "\(store.staging(key))/0")
    }

    // MARK: Life

    /// Reads the state, and makes the folder.
    func open() async {
        await store.removeStaging(key)
        var memory: FolderMemory?
        do { memory = try await store.memory(key) } catch {
            // Without its state the household takes part like a new device: nothing is lost, and both sides are
            // compared.
            tell(.failed(device(), game: name, error))
        }
        let rules = BridgedFolder(
            device: household.short,
            memory ?? FolderMemory(own: HouseholdIndex(id: RandomNumbers.next() | 1))
        )
        folder = SharedFolder(
            id: share.folder,
            label: name?.description ?? share.folder,
            rules: rules,
            quietPeriod: Self.quietPeriod,
            port: self
        )
        await refresh()
    }

    /// Follows the game until it is no longer shared on this machine.
    func run() async {
        do {
            while true {
                let state = try games.state(of: share.game)
                await refresh()
                _ = try await games.nextState(of: share.game, after: state)
            }
        } catch {
            retry?.cancel()
            folder?.set(.paused, true)
        }
    }

    /// Lets go of the folder, which holds this object.
    func close() {
        retry?.cancel()
        folder = nil
    }

    /// The game's name on this machine; nil if it is no longer shared.
    var name: SaveSetName? { games.games().first { $0.id == share.game }?.name }

    /// Gives the folder the game's present state, after updates that are under way.
    private func refresh() async {
        let before = lastUpdate
        let update = Task {
            await before?.value
            do { try await self.update() } catch { self.failed(error) }
        }
        lastUpdate = update
        await update.value
    }

    private func failed(_ error: any Error) {
        report(error)
        retry?.cancel()
        retry = Engine.schedule(at: .now + Self.retryPause) { @Sendable [weak self] in
            guard let self else { return }
            Task { await self.refresh() }
        }
    }

    /// Tells the user of a failure, once for all attempts that fail in the same way.
    private func report(_ error: any Error) {
        let isKnown = trouble.map { "\($0)" == "\(error)" } ?? false
        trouble = error
        if !isKnown { tell(.failed(device(), game: name, error)) }
    }

    private func update() async throws {
        guard let folder, let state = try? games.state(of: share.game) else { return }
        let isPlayed = state.isPlayed
        // What keeps the folder waiting is said before the version, and taken back after it.
        if isPlayed { folder.set(.playing, true) }
        if state.isPaused { folder.set(.paused, true) }
        if try await learn(state, folder) {
            if !isPlayed { folder.set(.playing, false) }
            if !state.isPaused { folder.set(.paused, false) }
        }
    }

    /// - Returns: false if the state has changed meanwhile, so that another update follows
    private func learn(_ state: BridgedState, _ folder: SharedFolder) async throws -> Bool {
        guard !state.isInConflict else {
            folder.set(.conflict, true)
            return true
        }
        guard let version = state.newest.first else {
            folder.set(.conflict, false)
            return true
        }
        // The folder asks for the newest version after it has stored one.
        if case .storing = folder.rules.phase { return false }
        let manifest: Manifest
        if let newest, newest.version == version {
            manifest = newest.manifest
        } else {
            manifest = try await games.contents(of: version, in: share.game)
        }
        guard manifest.entries.count <= DeviceIndex.limit else { throw SyncthingError.tooManyFiles }
        let tree = try await tree(of: manifest, folder)
        guard try games.state(of: share.game).newest == [version] else { return false }
        if case .storing = folder.rules.phase { return false }
        newest = (version, manifest)
        let stored = folder.rules.stored.map { SnapshotID(words: $0.version.words) }
        let includes = try stored.map { try games.includes(version, $0, of: share.game) } ?? false
        let name = BridgedFolder.Version(words: version.words)
        folder.household(is: name, tree, includesStored: includes)
        // The engine holds a folder that was emptied by accident back itself, until the user confirms it.
        if tree.isEmpty { folder.confirmEmptied(name, includesStored: includes) }
        return true
    }

    /// The files of a version that can be synced. Other files that the device has stay as they are there.
    private func tree(of manifest: Manifest, _ folder: SharedFolder) async throws -> [String: FileEntry] {
        let (synced, omitted) = BridgedName.sorted(manifest.entries.filter { !$0.isLink }.map(\.path.text))
        var tree = try await blocks.entries(of: manifest, synced)
        for (name, entry) in folder.rules.own.entries where entry.standing == .present && tree[name] == nil {
            if omitted[name] != nil || !mayHave(name) { tree[name] = entry }
        }
        return tree
    }
}

// MARK: The port

extension DeviceFolder: HouseholdPort {
    func mayHave(_ name: String) -> Bool {
        guard let path = try? SavePath(name) else { return false }
        return (try? games.shares(path, in: share.game)) ?? false
    }

    func remember(_ memory: FolderMemory) async throws { try await store.save(memory, key) }

    func has(_ digest: SHA256Digest) -> Bool { blocks.has(digest) || fetched.has(digest) }

    func keep(_ bytes: [UInt8], _ digest: SHA256Digest) async throws { try await fetched.keep(bytes, digest) }

    func bytes(of digest: SHA256Digest) async throws -> [UInt8]? { try await blocks.bytes(of: digest) }

    func discardFetched() {
        let old = fetched
        // Blocks of the old version that are still being written must not get between those of the next one.
        fetchCount += 1
        fetched = FetchedBlocks(in: "\(store.staging(key))/\(fetchCount)")
        blocks.forgetPiece()
        Task { await old.remove() }
    }

    func tellNewest(to folder: SharedFolder) { Task { await refresh() } }

    func noteEmptied() {
        guard folder?.rules.phase == .held(.device) else { return }
        tell(.emptied(device(), game: name))
    }

    func noteFailure(_ error: any Error) {
        // A device that goes offline in between begins again when it is back.
        if folder?.session != nil { report(error) }
        Task { await refresh() }
    }

    func store(_ incoming: BridgedFolder.Incoming) async throws -> BridgedFolder.Version {
        let staged = fetched
        defer { discardFetched() }
        let base = incoming.base.map { SnapshotID(words: $0.words) }
        let before = await contents(base)
        var tree = ForeignTree(before ?? .empty)
        if before == nil, let newest {
            // Files that can't be synced are not the device's to miss.
            let names = BridgedName.sorted(newest.manifest.entries.map(\.path.text)).omitted
            for entry in newest.manifest.entries where names[entry.path.text] != nil {
                tree.entries[entry.path] = .known(entry.content)
            }
        }
        var count = 0
        for (name, entry) in incoming.entries {
            let path = try SavePath(name)
            let content = try await content(of: entry, at: path, staged)
            if tree.entries[path] != content { count += 1 }
            tree.entries[path] = content
        }
        let label = device().label(of: "Syncthing")
        let saved: SnapshotID?
        do {
            saved = try await games.save(tree, by: label, over: before == nil ? nil : base, in: share.game)
        } catch let error as SaveSyncError where error.code == SaveSyncError.unknownVersionCode {
            // The machine has forgotten the base since: both are kept.
            saved = try await games.save(tree, by: label, over: nil, in: share.game)
        }
        guard let saved else { throw SyncthingError.notStored }
        trouble = nil
        tell(.saved(device(), game: name, count: count))
        return BridgedFolder.Version(words: saved.words)
    }

    private func bytes(of block: FileBlock, _ staged: FetchedBlocks) async throws -> [UInt8] {
        if let here = try await blocks.bytes(of: block.digest) { return here }
        guard let bytes = try await staged.bytes(of: block.digest) else { throw SyncthingError.missingBlock }
        return bytes
    }

    private func contents(_ version: SnapshotID?) async -> Manifest? {
        guard let version else { return nil }
        if let newest, newest.version == version { return newest.manifest }
        return try? await games.contents(of: version, in: share.game)
    }

    /// The content of a device's file; nil for a deleted one.
    private func content(
        of entry: FileEntry,
        at path: SavePath,
        _ staged: FetchedBlocks
    ) async throws -> ForeignTree.Content? {
        guard entry.standing == .present else { return nil }
        guard entry.kind == .file else { return .folder }
        if let own = folder?.rules.own.entries[entry.name], own.hasContent(of: entry),
            let known = newest?.manifest[path]?.content, case .file = known
        {
            return .known(known)
        }
        let file = try await staged.newFile()
        for block in entry.blocks where block.size > 0 {
            try await file.write(try await bytes(of: block, staged), at: UInt64(block.offset))
        }
        // A file that its owner can't read or change would be of no use to a game.
        let mode = entry.permissions.map { FileMode(rawValue: $0 | 0o600) }
        return .staged(at: file.path, mode: mode, modified: entry.modified)
    }
}

extension ManifestEntry {
    fileprivate var isLink: Bool { if case .link = content { true } else { false } }
}
