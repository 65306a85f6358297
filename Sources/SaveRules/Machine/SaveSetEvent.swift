public import Vocabulary

/// Events of one game, for ``SaveSetMachine``.
public enum SaveSetEvent: Sendable {
    /// The deadline has come.
    case deadline
    /// The watch of the folder reports something.
    case watch(Watch)
    /// A step of the folder's worker has begun or ended.
    case folder(Folder)
    /// New versions are stored, or could not be.
    case versions(Versions)
    /// Something happened between this machine and another.
    case peer(PeerID, Peer)
    /// Something happened to a version that comes to this machine.
    case download(SnapshotID, Download)
    /// A game begins or ends, here or elsewhere.
    case play(Play)
    /// The life of the game on this machine changes.
    case life(Life)

    /// Events of the watch.
    public enum Watch: Sendable {
        /// The folder changes. This comes once until the folder settles.
        case changing
        /// The folder has changed, and no program writes there.
        case settled
        /// A program has a file open for writing.
        case occupied(by: String)
        /// A program writes there for too long, as this error says.
        case unsettled(any ExplainedError)
        /// The folder is not there, as this error says.
        case gone(any ExplainedError)
        case back
        /// Changes are not noticed at once, for this reason.
        case unwatched(any ExplainedError)
        case watched
        case trouble(any ExplainedError)
    }

    /// Steps of the worker, as they begin and end.
    public enum Folder: Sendable {
        /// The worker is awake.
        case wakes
        /// The worker has nothing to do.
        case rests
        /// A scan is wanted, although the watch has not said that the folder settled.
        case scanWanted(ofEveryByte: Bool = false)
        /// A scan has looked at the folder, and has or has not read it.
        case scanEnded
        /// A scan has read the whole folder.
        case scanWorked
        /// A program writes there, so that the scan stopped.
        case scanPostponed(ofEveryByte: Bool)
        case scanFailed(ofEveryByte: Bool = false)
        case mergeWorked, mergeFailed
        /// A version is about to be put into the folder.
        case applyBegins(SnapshotID)
        /// The folder is being changed now, or no longer.
        case changes(Bool)
        /// The folder could be changed, or a reason against the version was found.
        case applyAnswered
        case applyWorked, applyFailed
        /// The folder has lost its files, or has them again.
        case emptied(EmptiedSave?)
        /// A version is not put into the folder, for this reason.
        case quarantined(SnapshotID, String)
        /// Something failed that has no step of its own.
        case problem(any ExplainedError, of: SetProblems.Matter, telling: Bool)
        case solved(SetProblems.Matter)
    }

    /// Changes of the versions.
    public enum Versions: Sendable {
        /// These versions are stored. The actions follow from them.
        case stored(VersionState, [VersionState.Action])
        /// These versions could not be stored. Those that this machine made may be stored in part.
        case notStored(VersionState, made: [SnapshotID])
        /// The history has dropped versions that were stored in part.
        case dropped
        /// A user restores these versions, or no longer does.
        case restoring(Set<SnapshotID>)
        /// These versions, and no others, have lost data.
        case incomplete(Set<SnapshotID>)
    }

    /// Events between this machine and another.
    public enum Peer: Sendable {
        /// A user of this machine shares the game with it.
        case shared
        /// A user takes the game back from it. The ledger is about to say so.
        case revoking
        /// The ledger could not be written, so that it still has the game.
        case notRevoked
        /// The ledger says that the game was taken back from it.
        case revoked
        /// The user forgot the machine.
        case forgotten
        /// It stopped sharing the game, or shares it again.
        case stopped(Bool)
        /// It has the game and has connected. The number is a random one for the first connection.
        case connected(firstTicket: UInt32, isNew: Bool)
        /// It is offline, or no longer shares the game.
        case disconnected
        /// It takes an offer for a new connection, in which it has heard nothing yet.
        case greeted
        /// It names its newest versions. The room is how many bytes the exchange may hold of what it says.
        case named([SnapshotHead], room: Int)
        /// The versions that it named last are looked at again.
        case askedAgain(room: Int)
        /// It asks for history.
        case asks(HistoryRequest, SaveTicket)
        /// It answered with history.
        case answeredHistory([Snapshot], room: Int)
        /// The history that it sent is written down.
        case learned
        /// The history that it sent could not be written down.
        case notLearned
        /// It has these versions whole.
        case offers([SnapshotID])
        /// It has fetched so much.
        case progressed(FetchProgress)
        /// It refuses what this machine said.
        case refusedThere(Label)
        /// It said something that is not accepted.
        case caught(SaveRefusal)
        /// It stopped answering.
        case silent
        /// It answers.
        case answers
    }

    /// Events of a version that comes.
    public enum Download: Sendable {
        /// It begins to come. These pieces of its manifest are not here.
        case begins(missing: [PieceReference])
        /// All machines that are online may be asked for it.
        case findPeers
        /// A machine sent a piece that it needs. The piece is sound if it is that piece, whole.
        case received(PieceID, length: Int, isSound: Bool, from: PeerID)
        /// A machine does not have a piece.
        case isWithout(PieceID, PeerID)
        /// Its manifest was read. These pieces of its files are not here.
        case manifestRead(missing: [PieceReference])
        /// Its manifest breaks the rules of its form.
        case manifestRefused(SaveFormatError)
        /// It could not be stored, and is tried again. The number is that of its download; nil if it has not begun.
        case storeFailed(Int?)
        /// It is stored.
        case stored
        /// This download of it is over.
        case finished(Int)
        /// Machines that did not have it may have it now.
        case mayBeElsewhere
    }

    /// Events of the games that run here, and of the play lock.
    public enum Play: Sendable {
        /// A call waits to begin a game, or no longer does. Each first is paired with a second.
        case waits, waitsNoLonger
        /// A call wants the play lock.
        case takes
        /// A call wants the play lock, and the holder is asked to stop.
        case requests
        /// A call takes the play lock, although another machine may play.
        case forces
        /// The last call no longer waits for the play lock.
        case stopsTaking
        /// Games of `huddle play` have ended.
        case ended(Set<Int>)
        /// The program that the user named for the game runs.
        case programFound(since: ContinuousClock.Instant)
        /// The program has ended. What it saved last is read next.
        case programGone
        /// The program has ended and what it saved was read, or the user named another.
        case programEnded
        /// The shell has looked whether a game from before the restart runs.
        case comebackChecked
        /// The last save of a program with an open file was read, or can't be.
        case savedWasRead
        /// All files are closed.
        case filesClosed
        /// Another machine claims the play lock.
        case claimed(LeaseClaim, named: String?)
        /// Another machine has stopped playing.
        case released(PeerID)
        /// A user of another machine wants to play.
        case requested(PeerID)
        /// The ledger has this holder, who said so that long ago.
        case recalled(LeaseClaim, after: Duration)
        /// The name of the holder that the ledger has.
        case holderNamed(String?)
    }

    /// Changes of the game's life on this machine.
    public enum Life: Sendable {
        /// Its settings begin to change: nothing is done to the folder, and no game begins.
        case changes
        /// Its settings have changed, or could not.
        case changed
        /// The folder is another one, or nothing is known of it, as after a start.
        case folderChanged(misplaced: (any ExplainedError)?)
        /// Its user pauses it, or the pause is another one or over. The shell tells the machines that share it.
        case paused(SyncPause?)
        /// The daemon ends.
        case ends
        /// This machine begins to stop sharing the game.
        case leaves
        /// This machine has stopped sharing the game: nothing is exchanged with any machine.
        case left
    }
}
