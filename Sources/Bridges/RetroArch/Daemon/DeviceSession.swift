import LinuxPlatform
import SaveRules
import SaveSync
import Vocabulary

/// One sync of a device: from its first request until it writes the manifest, or falls silent.
@Engine final class DeviceSession {
    let device: DeviceName
    let uploads: DeviceUploads
    private let games: any BridgedGames
    private let hashes: FileHashes
    /// The folders that this machine shares as games.
    private(set) var folders: [DevicePath.Folder: Part] = [:]
    /// The number of requests in progress.
    var requestCount = 0
    /// Ends the sync of a device that has fallen silent.
    var end: ScheduledTimer?
    /// The end of this sync, once it has begun to end.
    var finishing: Task<Void, Never>?

    /// One folder in this sync.
    struct Part {
        let game: SaveSetID
        var sync: FolderSync
        /// The served version.
        let manifest: Manifest
    }

    init(_ device: DeviceName, _ games: any BridgedGames, _ hashes: FileHashes, uploads: DeviceUploads) {
        (self.device, self.games, self.hashes, self.uploads) = (device, games, hashes, uploads)
    }

    /// Chooses the versions that the device is offered.
    func begin(_ settings: RetroArchSettings) async throws {
        guard let device = settings.devices[device] else { return }
        for (folder, game) in settings.games {
            let holdings = device.holdings[folder] ?? DeviceHoldings()
            let served = try games.newest(after: holdings.base, of: game)
            let manifest = try await served.asyncMap { try await games.contents(of: $0, in: game) } ?? .empty
            // The version that the device had may have been dropped since.
            let before = holdings.base == served ? manifest : await contents(holdings.origin, of: game)
            let sync = FolderSync(
                serving: served,
                try await hashes.all(of: manifest),
                to: holdings,
                with: try await hashes.all(of: before)
            )
            folders[folder] = Part(game: game, sync: sync, manifest: manifest)
        }
    }

    private func contents(_ origin: DeviceHoldings.Origin, of game: SaveSetID) async -> Manifest {
        guard case .version(let version) = origin else { return .empty }
        return (try? await games.contents(of: version, in: game)) ?? .empty
    }

    var manifest: DeviceManifest {
        var files: [DevicePath: String?] = [:]
        for (folder, part) in folders {
            for (path, hash) in part.sync.offered { files.updateValue(hash, forKey: DevicePath(folder, path)) }
        }
        return DeviceManifest(files)
    }

    /// True if the device has sent or deleted something that no version has yet.
    var hasChanges: Bool { folders.values.contains { !$0.sync.changes.isEmpty } }

    /// The version that a file of the device follows, until a version has it.
    func unsaved(_ path: DevicePath) -> DeviceHoldings.Origin {
        folders[path.folder]?.sync.unsaved(path.path) ?? .unknown
    }

    func write(_ path: DevicePath, _ sent: FolderSync.Sent) { folders[path.folder]?.sync.write(path.path, sent) }

    func delete(_ path: DevicePath) { folders[path.folder]?.sync.delete(path.path) }

    /// The file that the device is offered.
    enum Content {
        case sent(FolderSync.Sent)
        case pieces([PieceReference])
    }

    /// The content of a file; nil if there is none.
    func read(_ path: DevicePath) -> Content? {
        guard let part = folders[path.folder] else { return nil }
        if case .some(let change) = part.sync.changes[path.path] { return change.map { .sent($0) } }
        guard let file = part.manifest[path.path]?.file else { return nil }
        folders[path.folder]?.sync.read(path.path)
        return .pieces(file.pieces)
    }

    // MARK: The end

    /// The result for one folder.
    struct Outcome {
        let folder: DevicePath.Folder
        let game: SaveSetID
        let holdings: DeviceHoldings
        let savedCount: Int
        let failure: (any Error)?
    }

    /// Stores what the device has changed.
    func finish(confirmedBy sent: DeviceManifest?) async -> [Outcome] {
        var outcomes: [Outcome] = []
        for (folder, part) in folders { outcomes.append(await finish(part, folder, confirmedBy: sent)) }
        await uploads.removeAll()
        return outcomes
    }

    private func finish(_ part: Part, _ folder: DevicePath.Folder, confirmedBy sent: DeviceManifest?) async -> Outcome {
        var old: [DeviceHoldings.Origin: [SavePath: String]] = [:]
        for path in part.sync.changes.keys {
            let origin = part.sync.unsaved(path)
            guard old[origin] == nil else { continue }
            old[origin] = (try? await hashes.all(of: await contents(origin, of: part.game))) ?? [:]
        }
        let results = part.sync.results(confirmedBy: sent, in: folder) { old[$1]?[$0] }
        var failed = Set(
            part.sync.changes.filter { !part.sync.isWhole($0.key, $0.value, confirmedBy: sent, in: folder) }.keys
        )
        var failure: (any Error)? =
            failed.isEmpty ? nil : DeviceRequest.Refusal(409, "it sent other bytes than it meant to")
        var (tree, saved, count) = (ForeignTree(part.manifest), SnapshotID?.none, 0)
        for result in results {
            var next = tree
            for (path, change) in result.changes {
                next.entries[path] = change.map { .staged(at: uploads.path(of: $0.number), modified: .now) }
            }
            do {
                saved = try await save(next, over: result.base, in: part.game) ?? saved
                tree = next
                count += result.changes.count
            } catch {
                failed.formUnion(result.changes.keys)
                failure = error
            }
        }
        return Outcome(
            folder: folder,
            game: part.game,
            holdings: part.sync.holdings(after: saved, without: failed),
            savedCount: count,
            failure: failure
        )
    }

    private func save(
        _ tree: ForeignTree,
        over origin: DeviceHoldings.Origin,
        in game: SaveSetID
    ) async throws -> SnapshotID? {
        guard case .version(let base) = origin else {
            return try await games.save(tree, by: device.label, over: nil, in: game)
        }
        do {
            return try await games.save(tree, by: device.label, over: base, in: game)
        } catch let error as SaveSyncError where error.code == SaveSyncError.unknownVersionCode {
            // The machine has forgotten it since: both are kept.
            return try await games.save(tree, by: device.label, over: nil, in: game)
        }
    }
}

extension Optional where Wrapped: Sendable {
    @Engine fileprivate func asyncMap<Value>(_ body: @Engine (Wrapped) async throws -> Value) async rethrows -> Value? {
        if let self { try await body(self) } else { nil }
    }
}
