public import SaveFolder
public import SaveRules
public import Vocabulary

/// Something that happened to a save set and that a person may want to know.
public struct SaveNews: Sendable {
    /// Which set.
    public let set: SaveSetID
    /// What it is called here; where it is only offered, what it is called there.
    public let name: SaveSetName
    /// What happened.
    public let event: Event

    /// What can happen.
    public enum Event: Sendable {
        /// The folder was read, and this is a new version.
        case captured(SnapshotID)
        /// All of a version that a peer has made is here.
        case arrived(SnapshotID)
        /// The folder shows this version now.
        case applied(SnapshotID)
        /// Two versions became one by the rules.
        case merged(SnapshotID)
        /// There are several newest versions, and a person has to choose.
        case conflict([SnapshotID])
        /// The conflict is over.
        case whole
        /// A newer version is here and waits, in words, because of this.
        case heldBack(SnapshotID, String)
        /// A version was not put into the folder, because of this.
        case quarantined(SnapshotID, any ExplainedError)
        /// What a peer said about the set was not taken.
        case refused(PeerID, SaveRefusal)
        /// A peer said that it does not take what this machine said, because of this.
        case wasRefused(PeerID, Label)
        /// A peer offers the set.
        case offered(PeerID)
        /// Something stops the game between this machine and another.
        case stopped(PeerID, SyncObstacle)
        /// A peer that the set is shared with has it, and is there.
        case met(PeerID)
        /// Something about who plays it.
        case lease(PlayNews)
        /// Other things in the folder than before can't be part of it, as many as this, or none any more.
        case leftOut(LeftOutFiles)
        /// Versions that this machine has made and did not know any more have come back.
        case recollected(Recollection)
        /// The folder has lost its files, and that is held back.
        case emptied(EmptiedSave)
        /// The folder is not there.
        case gone
        /// The folder is there again.
        case back
        /// The user has paused it, or the pause is another one now.
        case paused(SyncPause)
        /// The pause is over.
        case resumed
        /// Something went wrong that no call could report.
        case trouble(any ExplainedError)
    }
}
