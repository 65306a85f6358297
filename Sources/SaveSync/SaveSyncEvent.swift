public import SaveFolder
public import SaveRules
public import Vocabulary

/// An event of a game that a user may want to know.
public struct SaveSyncEvent: Sendable {
    /// The game.
    public let set: SaveSetID
    /// The name of the game here; if it is only offered, its name on the other machine.
    public let name: SaveSetName
    /// The change.
    public let change: Change

    /// The kinds of changes.
    public enum Change: Sendable {
        /// The folder was scanned, and this is a new version.
        case captured(SnapshotID)
        /// A version that a peer has made is here whole.
        case arrived(SnapshotID)
        /// The folder shows this version now.
        case applied(SnapshotID)
        /// Two versions were merged by rules.
        case merged(SnapshotID)
        /// There are several newest versions, and the user must choose.
        case conflict([SnapshotID])
        /// The conflict is over.
        case whole
        /// A newer version is here and waits, for a reason in words.
        case heldBack(SnapshotID, String)
        /// A version was not applied, for a reason.
        case quarantined(SnapshotID, any ExplainedError)
        /// Data of a peer about the game was refused.
        case refused(PeerID, SaveRefusal)
        /// A peer refused data of this machine, for a reason.
        case wasRefused(PeerID, Label)
        /// A peer offers the game.
        case offered(PeerID)
        /// Something stops the game between this machine and another.
        case stopped(PeerID, SyncObstacle)
        /// A peer that shares the game is online.
        case met(PeerID)
        /// The play lock has changed.
        case lease(PlayChange)
        /// The number of files in the folder that can't be part of the game has changed. It may be 0.
        case leftOut(LeftOutFiles)
        /// Versions that this machine has made and no longer knew have come back.
        case recollected(Recollection)
        /// The folder has lost its files, and that is held back.
        case emptied(EmptiedSave)
        /// The folder is missing.
        case gone
        /// The folder is back.
        case back
        /// The user has paused the game, or changed its pause.
        case paused(SyncPause)
        /// The pause is over.
        case resumed
        /// The status of the game has changed, or the machines that it depends on.
        case status(GameStatus)
        /// A problem occurred that no call could report.
        case trouble(any ExplainedError)
    }
}
