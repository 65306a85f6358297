public import Vocabulary

/// Effects of ``SaveSetMachine``, which the shell carries out in order.
public enum SaveSetEffect: Sendable {
    /// Wake the worker of the folder.
    case work
    /// Carry out this effect for the players.
    case play(PlayTracker.Effect)
    /// Carry out this effect for a download.
    case download(Downloads.Effect)
    /// Run the loop of searches until it needs no further one (``Downloads/beginSearch()``).
    case search
    /// Ask these machines again, which stopped answering. Then ask all for versions that could not be stored in the
    /// ledger.
    case askAgain([PeerID])
    /// Send the heads to a machine.
    case sendHeads([SnapshotHead], PeerID)
    /// Ask a machine for history.
    case ask(HistoryRequest, PeerID)
    /// Answer a machine's request for history.
    case answer(HistoryRequest, ExchangeEpoch, PeerID)
    /// Store history, then report ``SaveSetEvent/Peer/learned`` or ``SaveSetEvent/Peer/notLearned``. A refusal ends the
    /// effects.
    case learn([Snapshot], PeerID)
    /// Report the versions that a machine has, after the effects before this one are stored.
    case noteOffers([SnapshotID], PeerID)
    /// Tell a refused machine, the audit log and the user of the refusal.
    case refuse(SaveRefusal, PeerID)
    /// Expect no further answers to requests to a machine.
    case forgetWants(PeerID)
    /// Store which versions the machines named (``SharePeers/nextToSave()``).
    case saveNamed
    /// Find out again if a program has a file of the folder open.
    case lookForWriter
    /// Tell the user.
    case tell(Report)

    /// Events of which the user hears.
    public enum Report: Sendable {
        case conflict([SnapshotID])
        case whole
        case met(PeerID)
        case refusedThere(PeerID, Label)
        case gone, back
        case trouble(any ExplainedError)
    }
}
