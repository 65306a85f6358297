public import Vocabulary

/// One game on one machine, as a pure value: its versions, the machines that share it, downloads, players, the work on
/// its folder, and problems.
///
/// The shell passes each event to ``handle(_:at:)`` and carries out the effects in order. Slow work, such as a scan or
/// a write to the ledger, reports its end as an event. The parts decide; this value only routes events to them.
/// `docs/machines/save-set.md` has its table.
public struct SaveSetMachine: Sendable {
    /// The id of the game.
    public let set: SaveSetID
    /// The versions. They change only after they are stored.
    public internal(set) var heads: VersionState
    /// The machines that share it.
    public internal(set) var peers: SharePeers
    /// The versions that are coming here.
    public internal(set) var downloads: Downloads
    /// The play lock and the games that run here.
    public internal(set) var play: PlayTracker
    /// The work on its folder.
    public internal(set) var folder = FolderWork()
    /// Its problems.
    public internal(set) var problems: SetProblems
    /// The versions that are not applied, and the reasons.
    public internal(set) var quarantine: [SnapshotID: String]
    /// The versions that this machine made and could not store completely, until the history has dropped them.
    public internal(set) var uncommitted: Set<SnapshotID> = []
    /// The versions that a user restores now. Retention keeps them.
    public internal(set) var restoring: Set<SnapshotID> = []
    /// The life of the game on this machine.
    public internal(set) var life = SaveSetLife.open
    /// The pause by the user of this machine; nil if the game syncs.
    public internal(set) var pause: SyncPause?

    /// - Parameters:
    ///   - set: the id of the game
    ///   - known: the parts of the game as stored
    ///   - play: the players
    public init(_ set: SaveSetID, _ known: SaveSetRecord, play: PlayTracker) {
        (self.set, heads, peers, self.play) = (set, known.heads, known.peers, play)
        downloads = Downloads(incomplete: known.incomplete)
        (problems, quarantine) = (known.problems, known.quarantine)
    }

    /// Handles an event.
    /// - Returns: the effects for the shell, in order
    public mutating func handle(_ event: SaveSetEvent, at now: ContinuousClock.Instant) -> [SaveSetEffect] {
        switch event {
        case .deadline: deadlinePassed(at: now)
        case .watch(let event): handle(event, at: now)
        case .folder(let event): handle(event, at: now)
        case .versions(let event): handle(event) + settleCutOffs()
        case .peer(let peer, let event): handle(event, of: peer, at: now) + settleCutOffs()
        case .download(let version, let event): handle(event, of: version, at: now)
        case .play(let event): handle(event, at: now) + settleCutOffs()
        case .life(let event): handle(event)
        }
    }

    /// The time at which ``SaveSetEvent/deadline`` is due; nil if nothing is waited for.
    public var deadline: ContinuousClock.Instant? {
        isAlive ? [play.deadline, folder.deadline, downloads.retry.due].compactMap { $0 }.min() : nil
    }

    private mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [SaveSetEffect] {
        var effects: [SaveSetEffect] = []
        if let deadline = play.deadline, deadline <= now { effects += played(play.deadlinePassed(at: now)) }
        if let deadline = folder.deadline, deadline <= now {
            folder.deadlinePassed(at: now, nextMerge: heads.nextMerge)
            effects.append(.work)
        }
        if downloads.retry.isDue(at: now) { effects.append(.askAgain(peers.takeSilent().sorted())) }
        return effects
    }

    /// True if the daemon watches its folder and retries failures.
    public var isAlive: Bool { life == .open || life == .changing }

    /// True until this machine begins to stop sharing the game.
    public var isShared: Bool { isAlive || life == .ending }
}
