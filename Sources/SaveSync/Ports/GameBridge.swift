import Ledger
public import LinuxPlatform
import SaveFolder
public import SaveRules
public import Vocabulary

/// The games of the engine, for bridges.
@Engine public final class GameBridge: BridgedGames {
    private let engine: SaveSyncEngine

    /// Creates the port of an engine.
    public init(_ engine: SaveSyncEngine) { self.engine = engine }

    /// The games that are shared on this machine, by name.
    public func games() -> [BridgedGame] {
        engine.games.all.map { BridgedGame($0.id, named: $0.entry.name, at: $0.entry.path) }
            .sorted { $0.name < $1.name }
    }

    /// The present state of a game.
    public func state(of game: SaveSetID) throws -> BridgedState { BridgedState(try engine.games.game(game).machine) }

    /// Waits until the state of a game differs from an earlier one.
    public func nextState(of game: SaveSetID, after state: BridgedState) async throws -> BridgedState {
        let set = try engine.games.game(game)
        try await set.set.wait { BridgedState($0) != state }
        guard set.machine.life != .left else { throw SaveSyncError.unknownSet(set.entry.name.description) }
        return BridgedState(set.machine)
    }

    /// Returns the version that a device gets next.
    public func newest(after base: SnapshotID?, of game: SaveSetID) throws -> SnapshotID? {
        let versions = try engine.games.game(game).machine.heads
        guard versions.heads.count > 1 else { return versions.heads.first }
        guard let base, versions.graph[base] != nil else { return versions.ownSide ?? versions.heads.first }
        let side = versions.side(of: base)
        // An old base may have been dropped.
        return versions.held.contains(side) ? side : versions.ownSide ?? versions.heads.first
    }

    /// True if one version includes another.
    public func includes(_ later: SnapshotID, _ earlier: SnapshotID, of game: SaveSetID) throws -> Bool {
        let graph = try engine.games.game(game).machine.heads.graph
        return graph[earlier] == nil || graph.holds(later, earlier)
    }

    /// True if a file or folder of this path is shared with other machines.
    public func shares(_ path: SavePath, in game: SaveSetID) throws -> Bool {
        SetPlace(of: try engine.games.game(game).entry).shares(path)
    }

    /// The files and folders of a version.
    public func contents(of version: SnapshotID, in game: SaveSetID) async throws -> Manifest {
        let set = try engine.games.game(game)
        guard let known = set.machine.heads.graph[version] else { throw SaveSyncError.unknownVersion }
        return try await engine.services.reader.manifest(of: known, in: SetPlace(of: set.entry))
    }

    /// The bytes of a piece.
    public func bytes(of piece: PieceID) async throws -> [UInt8] { try await engine.services.reader.piece(piece) }

    /// Stores the files of a device as a new version.
    @discardableResult
    public func save(_ tree: ForeignTree, by device: Label, over base: SnapshotID?, in game: SaveSetID) async throws
        -> SnapshotID?
    {
        let (time, seal) = (engine.services.clock(), engine.services.seal)
        let set = try engine.games.game(game)
        return try await set.set.alone {
            if set.machine.pause != nil { throw SaveSyncError.pausedForDevices(set.entry.name) }
            if let misplaced = set.machine.problems.misplaced { throw misplaced }
            let before = base.flatMap { set.machine.heads.graph[$0] }
            guard base == nil || before != nil else { throw SaveSyncError.unknownVersion }
            let limit = set.set.services.bounds.snapshotByteCount
            let manifest = try await set.set.atWorker(on: .history) {
                try await $0.foreign(tree, over: before, of: set.entry, limit: limit)
            }
            var made: SnapshotID?
            try await set.versions.commit { heads in
                let done = try heads.takeIn(manifest, over: base, from: device, at: time, sealedBy: seal)
                made = done.snapshot?.id
                return (done.snapshot.map { [$0] } ?? [], done.actions)
            }
            guard let made else {
                await set.set.atWorker(on: .history) { await $0.letGo(of: set.id) }
                return set.machine.heads.heads.first { set.machine.heads.graph[$0]?.manifest == manifest } ?? base
            }
            set.tell(.captured(made))
            await set.pruner.keepRoom()
            return made
        }
    }
}

extension BridgedState {
    fileprivate init(_ machine: SaveSetMachine) {
        self.init(
            newest: machine.heads.heads,
            isPlayedHere: !machine.play.mayApply || machine.play.games.writer != nil,
            player: machine.play.lease.holder(at: .current)?.peer,
            isPaused: machine.pause != nil
        )
    }
}
