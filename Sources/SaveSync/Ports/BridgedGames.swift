public import LinuxPlatform
public import SaveRules
public import Vocabulary

/// The games of this machine, as a bridge sees them. A bridge is a part of the daemon that syncs with devices that do
/// not run Huddle.
///
/// A bridge reads the newest version of a game (``newest(after:of:)``, ``contents(of:in:)``, ``bytes(of:)``), waits for
/// changes (``nextState(of:after:)``), and hands in what a device has saved (``save(_:by:over:in:)``).
///
/// The bridge remembers the last version that each device is known to have had of each game. ``GameBridge`` is the
/// engine's implementation; tests of a bridge have one of their own.
@Engine
public protocol BridgedGames: AnyObject, Sendable {
    /// The games that are shared on this machine, by name.
    func games() -> [BridgedGame]

    /// The present state of a game.
    /// - Throws: `SaveSyncError` if this machine does not share it
    func state(of game: SaveSetID) throws -> BridgedState

    /// Waits until the state of a game differs from an earlier one.
    /// - Throws: `SaveSyncError` if this machine stops sharing it; `CancellationError`
    func nextState(of game: SaveSetID, after state: BridgedState) async throws -> BridgedState

    /// Returns the version that a device gets next: the newest one; in a conflict, the newest one of the device's own
    /// side.
    /// - Parameter base: the version that the device has; nil if it has none
    /// - Returns: nil if there is no version
    func newest(after base: SnapshotID?, of game: SaveSetID) throws -> SnapshotID?

    /// True if one version includes another, or is the same. A version that this machine has forgotten counts as
    /// included in all newest ones.
    func includes(_ later: SnapshotID, _ earlier: SnapshotID, of game: SaveSetID) throws -> Bool

    /// True if a file or folder of this path is shared with other machines.
    func shares(_ path: SavePath, in game: SaveSetID) throws -> Bool

    /// Returns the files and folders of a version that are shared with other machines.
    func contents(of version: SnapshotID, in game: SaveSetID) async throws -> Manifest

    /// The bytes of a piece of a file in ``contents(of:in:)``. Ask for no other piece.
    func bytes(of piece: PieceID) async throws -> [UInt8]

    /// Stores the files of a device as a new version, which is announced to all machines. It is applied as soon as the
    /// game does not run. If another version is newer than the one that the device had, both are kept as a conflict.
    /// - Parameters:
    ///   - tree: all files that the device has
    ///   - device: the name of the device, which all machines show in the history
    ///   - base: the version that the device had; nil if it had none
    /// - Returns: the new version, or the version with the same files if there is one
    /// - Throws: `SaveSyncError` if the game is paused, or the device has deleted everything; then nothing has changed
    @discardableResult
    func save(_ tree: ForeignTree, by device: Label, over base: SnapshotID?, in game: SaveSetID) async throws
        -> SnapshotID?
}

/// A game that is shared on this machine.
public struct BridgedGame: Hashable, Sendable {
    /// The id, the same on every machine.
    public let id: SaveSetID
    /// The name on this machine.
    public let name: SaveSetName
    /// The folder on this machine.
    public let path: String

    /// Creates a description.
    public init(_ id: SaveSetID, named name: SaveSetName, at path: String) {
        (self.id, self.name, self.path) = (id, name, path)
    }
}

/// The state of a game, as a bridge needs it.
public struct BridgedState: Hashable, Sendable {
    /// The newest versions whose contents are here: one, or several in a conflict.
    public var newest: [SnapshotID]
    /// True if the game runs on this machine, or is about to.
    public var isPlayedHere: Bool
    /// The machine that has the play lock; nil if none has.
    public var player: PeerID?
    /// True if the user has paused the game on this machine. Nothing is announced, and
    /// ``BridgedGames/save(_:by:over:in:)`` refuses.
    public var isPaused: Bool

    /// True if two machines or devices saved separately, and the user has not chosen yet.
    public var isInConflict: Bool { newest.count > 1 }

    /// Creates a state.
    public init(newest: [SnapshotID], isPlayedHere: Bool = false, player: PeerID? = nil, isPaused: Bool = false) {
        (self.newest, self.isPlayedHere, self.player, self.isPaused) = (newest, isPlayedHere, player, isPaused)
    }
}
