public import Vocabulary

/// The state of a game on this machine, which follows from its parts.
extension SaveSetMachine {
    /// The machines that share it. Empty in a pause, or while the folder may not be used.
    public var sharers: Set<PeerID> { pause == nil ? partners : [] }

    /// The machines that share it, also in a pause: they must hear of it. Empty while the folder may not be used.
    public var partners: Set<PeerID> { problems.misplaced == nil ? peers.allowed : [] }

    /// True if a version may be applied now. In a pause, only one of this machine: the user may have restored it.
    public func mayPut(_ version: Snapshot) -> Bool { pause == nil || version.author == heads.own }

    /// The machines that were cut off while they played, and of which a user who starts the game must hear.
    public var cutOff: [PeerID] { peers.cutOff(besides: play.holder.cutOff, heads, claimant: play.lease.claimant) }

    /// True if its versions may contain files that no other machine may have.
    public var isPrivate: Bool { problems.misplaced.map { SetProblem($0).kind == .misplaced } ?? false }

    /// The version that the folder shows, as far as is known.
    public var shown: Snapshot? { heads.applied.flatMap { heads.graph[$0] } }

    /// True if this machine knows of a newer version that is not here.
    public var awaitsNewer: Bool { !downloads.newer(than: heads).isEmpty || !peers.metadataFailed.isEmpty }

    /// True if no machine that is online has the newer version.
    public var isNewerAway: Bool { awaitsNewer && !downloads.newer(than: heads).contains(where: peers.isOffered) }

    /// True if a newer version can be fetched, and this machine could not store it.
    public var couldNotStoreNewer: Bool {
        !peers.metadataFailed.isDisjoint(with: peers.online.keys)
            || !downloads.newer(than: heads).isDisjoint(with: downloads.unstored)
    }

    /// True if the daemon has nothing left to do without the user, as far as it knows.
    public var isQuiet: Bool {
        life != .changing && folder.isQuiet(pending: heads.pending) && downloads.isQuiet(heads, peers) && peers.isQuiet
    }

    /// The machines that are online and do not have all heads yet.
    public var behind: [PeerID] { peers.behind(heads) }

    /// True if the newest version is here and waits only for a game to end, or another program that uses the folder.
    public var waitsForGame: Bool {
        guard heads.state == .behind, !awaitsNewer, let pending = heads.pending, quarantine[pending] == nil else {
            return false
        }
        return !play.mayApply || play.games.writer != nil || folder.isKeptOut(pending)
    }

    /// The state of the newest version.
    public var newest: GameFacts.Newest {
        if heads.state == .split { return .conflict }
        if heads.heads.contains(where: { quarantine[$0] != nil }) { return .keptOut }
        if waitsForGame { return .waitingForGame }
        return isArriving ? .arriving : folder.hasUnreadChanges ? .unread : .shown
    }

    /// True if this machine knows of a version that is not here as a whole, or that is not in the folder.
    private var isArriving: Bool {
        heads.state == .behind || heads.state == .merging || awaitsNewer || downloads.isAnyNew
            || peers.haveNamedNewer(than: heads)
    }

    /// Returns the reason why the game is not in sync, if the user must act; nil otherwise.
    /// - Parameter folderAway: the error of a missing folder, which the scan and the watch name in different words
    public func problem(folderAway: @autoclosure () -> any ExplainedError) -> SetProblem? {
        if problems.misplaced == nil, problems[.disk] == nil, problems[.scanning]?.kind == .missing {
            return SetProblem(folderAway())
        }
        return problems.blocking(isPending: heads.pending != nil, couldNotStoreNewer: couldNotStoreNewer)
    }
}
