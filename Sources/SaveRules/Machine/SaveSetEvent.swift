public import Vocabulary

/// Events of one game, for ``SaveSetMachine``.
public enum SaveSetEvent: Sendable {
    /// The time of ``SaveSetMachine/deadline`` has passed.
    case deadline
    /// The watch of the folder reports something.
    case watch(Watch)
    /// A step of the folder's worker has begun or ended.
    case folder(Folder)
    /// New versions are stored, or could not be.
    case versions(Versions)
    /// An event between this machine and another.
    case peer(PeerID, Peer)
    /// An event of a download.
    case download(SnapshotID, Download)
    /// A game begins or ends, here or elsewhere.
    case play(Play)
    /// The life of the game on this machine changes.
    case life(Life)

    /// Events of the watch.
    public enum Watch: Sendable {
        /// The folder changes. The watch reports this once until the folder has settled.
        case changing
        /// The folder has settled: the quiet period has passed, and no program writes there.
        case settled
        /// A program has a file open for writing.
        case occupied(by: String)
        /// A program has been writing there for too long.
        case unsettled(any ExplainedError)
        /// The folder is missing.
        case gone(any ExplainedError)
        case back
        /// The watch can't notice changes at once, for this reason.
        case unwatched(any ExplainedError)
        case watched
        case trouble(any ExplainedError)
    }

    /// Steps of the worker, at their begin and end.
    public enum Folder: Sendable {
        /// The worker is awake.
        case wakes
        /// The worker has nothing to do.
        case rests
        /// A scan is requested, although the watch has not reported that the folder settled.
        case scanWanted(ofEveryByte: Bool = false)
        /// A scan has ended, no matter if it read the folder.
        case scanEnded
        /// A scan has read the whole folder.
        case scanWorked
        /// A scan stopped because a program writes there.
        case scanPostponed(ofEveryByte: Bool)
        case scanFailed(ofEveryByte: Bool = false)
        case mergeWorked, mergeFailed
        /// A version is about to be applied.
        case applyBegins(SnapshotID)
        /// The daemon begins to change the folder, or has ended.
        case changes(Bool)
        /// An attempt to apply a version could change the folder, or found a reason against the version.
        case applyAnswered
        case applyWorked, applyFailed
        /// The folder has lost its files, or has files again.
        case emptied(EmptiedSave?)
        /// A version is not applied, for this reason.
        case quarantined(SnapshotID, String)
        /// Work failed that has no step of its own.
        case problem(any ExplainedError, of: SetProblems.Matter, telling: Bool)
        case solved(SetProblems.Matter)
    }

    /// Changes of the versions.
    public enum Versions: Sendable {
        /// These versions are stored. Carry out the actions.
        case stored(VersionState, [VersionState.Action])
        /// These versions could not be stored. Those that this machine made may be stored in part.
        case notStored(VersionState, made: [SnapshotID])
        /// The history has dropped versions that were stored in part.
        case dropped
        /// A user restores these versions; empty when that is over.
        case restoring(Set<SnapshotID>)
        /// Exactly these versions have lost data.
        case incomplete(Set<SnapshotID>)
    }

    /// Events between this machine and another.
    public enum Peer: Sendable {
        /// A user of this machine shares the game with it.
        case shared
        /// A user revokes the game for it. The ledger is about to store that.
        case revoking
        /// The ledger could not store that, so the machine still has the game.
        case notRevoked
        /// The ledger has stored that the game is revoked for it.
        case revoked
        /// The user forgot the machine.
        case forgotten
        /// It may not sync saves here now: the user blocked it, or took a permission from it.
        case barred
        /// It stopped sharing the game, and no longer counts as having any version, or it shares it again.
        case stopped(Bool)
        /// It has the game and has connected. The first epoch is a random number.
        case connected(firstEpoch: UInt32, isNew: Bool)
        /// It is offline, or no longer shares the game.
        case disconnected
        /// It accepts an offer for a new connection, in which it has received nothing yet.
        case greeted
        /// It names its heads. The room is the number of bytes that the exchange may hold of its messages.
        case named([SnapshotHead], room: Int)
        /// Its last named heads are read again.
        case askedAgain(room: Int)
        /// It asks for history.
        case asks(HistoryRequest, ExchangeEpoch)
        /// It answered with history.
        case answeredHistory([Snapshot], room: Int)
        /// The history that it sent is stored.
        case learned
        /// The history that it sent could not be stored.
        case notLearned
        /// It has these versions as a whole.
        case offers([SnapshotID])
        /// It says which other machine was cut off while it played; nil if none is.
        case saysCutOff(CutOffPlay?)
        /// The progress of its own fetch.
        case progressed(FetchProgress)
        /// It refuses a message of this machine.
        case refusedThere(Label)
        /// It sent something that this machine refuses.
        case caught(SaveRefusal)
        /// It stopped answering.
        case silent
        /// It answers again.
        case answers
    }

    /// Events of a download.
    public enum Download: Sendable {
        /// The download begins. These pieces of the manifest are not here.
        case begins(missing: [PieceReference])
        /// The download may ask all machines that are online.
        case findPeers
        /// A machine sent a needed piece. It is sound if its content is complete and matches its name.
        case received(PieceID, length: Int, isSound: Bool, from: PeerID)
        /// A machine does not have a piece.
        case isWithout(PieceID, PeerID)
        /// The daemon has read the manifest. These pieces of the files are not here.
        case manifestRead(missing: [PieceReference])
        /// The manifest breaks the rules of its form.
        case manifestRefused(SaveFormatError)
        /// The version could not be stored, and the daemon will retry. The number is that of the download; nil if it
        /// has not begun.
        case storeFailed(Int?)
        /// The version is stored.
        case stored
        /// The download with this number is over.
        case finished(Int)
        /// Machines that did not have the version may have it now.
        case mayBeElsewhere
    }

    /// Events of the games that run here, and of the play lock.
    public enum Play: Sendable {
        /// A call begins to wait for a game, or ends waiting. Both come in pairs.
        case waits, waitsNoLonger
        /// A call wants the play lock.
        case takes
        /// A call wants the play lock and asks the holder to stop.
        case requests
        /// A call takes the play lock, although another machine may play.
        case forces
        /// The last call no longer waits for the play lock.
        case stopsTaking
        /// Games of `huddle play` have ended.
        case ended(Set<Int>)
        /// The program that the user named for the game runs.
        case programFound(since: ContinuousClock.Instant)
        /// The program has ended. The next step is a scan of its last save.
        case programGone
        /// The program has ended and a scan has read its save, or the user named another program.
        case programEnded
        /// The shell has looked for a game from before the restart.
        case comebackChecked
        /// A scan has read the last save of a program with an open file, or can't read it.
        case savedWasRead
        /// All files are closed.
        case filesClosed
        /// Another machine claims the play lock.
        case claimed(LeaseClaim, named: String?)
        /// Another machine has stopped playing.
        case released(PeerID)
        /// A user of another machine wants to play.
        case requested(PeerID)
        /// The ledger has this play that was cut off. It comes before ``recalled(_:after:)``.
        case recalledCutOff(CutOffPlay)
        /// The ledger has this holder, who made the claim that long ago.
        case recalled(LeaseClaim, after: Duration)
        /// The name of the holder in the ledger.
        case holderNamed(String?)
    }

    /// Changes of the game's life on this machine.
    public enum Life: Sendable {
        /// Its settings begin to change: the folder stays untouched, and no game begins.
        case changes
        /// Its settings have changed, or could not be changed.
        case changed
        /// The game has another folder, or nothing is known of the folder, as after a start.
        case folderChanged(misplaced: (any ExplainedError)?)
        /// The user begins, changes or ends the pause. The shell tells the machines that share the game.
        case paused(SyncPause?)
        /// The daemon begins to end.
        case ends
        /// This machine begins to stop sharing the game.
        case leaves
        /// This machine has stopped sharing the game: nothing is exchanged with any machine.
        case left
    }
}
