public import Vocabulary

/// Effects of ``SaveSetMachine``, which the shell carries out in order.
public enum SaveSetEffect: Sendable {
    /// Wake the worker of the folder.
    case work
    /// Carry this out for the players.
    case play(PlayTracker.Effect)
    /// Carry this out for a version that comes.
    case download(Downloads.Effect)
    /// Run the loop of searches until none is wanted (``Downloads/beginSearch()``).
    case search
    /// Begin again with these machines, which stopped answering, then ask all for what could not be written down.
    case askAgain([PeerID])
    /// Name the newest versions to a machine.
    case sendHeads([SnapshotHead], PeerID)
    /// Ask a machine for history.
    case ask(HistoryRequest, PeerID)
    /// Answer a question about history.
    case answer(HistoryRequest, SaveTicket, PeerID)
    /// Write history down, then report ``SaveSetEvent/Peer/learned`` or ``SaveSetEvent/Peer/notLearned``. A refusal ends the effects.
    case learn([Snapshot], PeerID)
    /// Report the versions that a machine has, after what comes before this is written down.
    case noteOffers([SnapshotID], PeerID)
    /// Tell a machine, the audit log and the user that it was refused.
    case refuse(SaveRefusal, PeerID)
    /// Expect nothing more of what a machine was asked for.
    case forgetWants(PeerID)
    /// Write down which versions the machines named (``SharePeers/nextToSave()``).
    case saveNamed
    /// Look at the files of the folder again: a program may have one open.
    case lookForWriter
    /// Tell the user.
    case tell(News)

    /// Something that the user hears of.
    public enum News: Sendable {
        case conflict([SnapshotID])
        case whole
        case met(PeerID)
        case refusedThere(PeerID, Label)
        case gone, back
        case trouble(any ExplainedError)
    }
}
