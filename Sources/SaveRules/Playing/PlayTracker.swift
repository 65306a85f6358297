public import Vocabulary

/// The players of one game, here or elsewhere: the play lock, the games that run on this machine, and what outlives a
/// restart.
///
/// A pure value: each event returns what the caller does, in order. `docs/machines/play.md` has its table, and
/// `docs/machines/lease.md` has that of the lock.
public struct PlayTracker: Sendable {
    /// Effects, which the caller carries out in order.
    public enum Effect: Hashable, Sendable {
        /// Send this claim to all machines that share the game.
        case send(LeaseClaim)
        /// Tell all machines that share the game that this machine no longer plays.
        case sendRelease
        /// Ask the given machine to stop playing.
        case sendRequest(PeerID)
        /// Tell the user.
        case report(PlayChange)
        /// Give the play lock to all calls that wait for it.
        case grant
        /// End the calls that wait for the play lock, because the given machine plays.
        case deny(PeerID)
        /// Tell a machine of the play that was cut off (``HolderMemory/cutOff``); nil to tell all machines that share
        /// the game, except the player.
        case tellCutOff(PeerID?)
        /// Tell all machines that share the game, except the player, that its play no longer counts as cut off.
        case withdrawCutOff(of: PeerID)
        /// Store the holder in the ledger (``holderToSave()``).
        case saveHolder
        /// Ask the folder's watch again which program has a file open.
        case lookForWriter
        /// Look once more for the program of a game that ran before the restart, then call ``comebackChecked(at:)``.
        case lookForComeback
    }

    /// The play lock.
    public private(set) var lease: PlayLease
    /// The games that run here.
    public private(set) var games: LocalGames
    /// The holder as users and the ledger know it.
    public var holder = HolderMemory()
    /// Calls that wait for the play lock to begin a game.
    public private(set) var waiting = 0
    private let own: PeerID
    private let patience: LeasePatience

    /// - Parameters:
    ///   - own: this machine
    ///   - patience: the waiting times
    ///   - lastNumber: a random number, after which games are numbered
    public init(_ own: PeerID, patience: LeasePatience = LeasePatience(), after lastNumber: Int) {
        (self.own, self.patience) = (own, patience)
        lease = PlayLease(own, patience: patience)
        games = LocalGames(after: lastNumber)
    }

    /// True if a version may be applied: not while a game runs on this machine, or may still run.
    ///
    /// A call that waits to begin a game waits for new versions, too.
    public var mayApply: Bool {
        (lease.mayApply || waiting > 0) && !games.isRunning && games.comeback == .none
    }

    /// The time at which ``deadlinePassed(at:)`` is due; nil if nothing is waited for.
    public var deadline: ContinuousClock.Instant? { [lease.deadline, games.deadline].compactMap { $0 }.min() }

    /// The time of ``deadline`` has passed.
    public mutating func deadlinePassed(at now: ContinuousClock.Instant) -> [Effect] {
        var effects: [Effect] = []
        if let deadline = lease.deadline, deadline <= now { effects += follow(lease.deadlinePassed(at: now), at: now) }
        if case .saving(let end) = games.writer?.phase, end <= now { effects += countWriter(at: now) }
        if case .awaited(let end) = games.comeback, end <= now {
            games.comeback = .checking
            effects.append(.lookForComeback)
        }
        return effects
    }

    // MARK: What follows

    private mutating func follow(_ actions: [PlayLease.Action], at now: ContinuousClock.Instant) -> [Effect] {
        var effects = actions.flatMap { follow($0) }
        if games.isRunning, lease.state == .free {
            // The machine that played has stopped, and a game runs here.
            return effects + follow(lease.take(at: now, since: games.since), at: now)
        }
        effects += saveHolder()
        return effects
    }

    private mutating func follow(_ action: PlayLease.Action) -> [Effect] {
        switch action {
        case .send(let claim): return [.send(claim)]
        case .sendRelease: return [.sendRelease]
        case .sendRequest(let peer): return [.sendRequest(peer)]
        case .granted: return [.report(.granted), .grant]
        case .denied(let peer):
            // A call that has asked the holder to stop goes on waiting, although another call wants the lock at once.
            return [.report(.denied(peer))] + (lease.state == .asking ? [] : [.deny(peer)])
        case .tellRequest(let peer): return [.report(.requested(peer))]
        case .lost(let peer): return [.report(.lost(peer))]
        case .ranOut(let peer):
            holder.announced = nil
            return [.report(.ranOut(peer))]
        case .requestUnanswered(let peer): return [.report(.unanswered(peer)), .deny(peer)]
        }
    }

    private mutating func announceHolder() -> [Effect] {
        let claimant = lease.claimant
        guard claimant != holder.announced else { return [] }
        (holder.announced, holder.name) = (claimant, nil)
        return [.report(claimant.map { .taken($0) } ?? .released)]
    }

    // MARK: Here

    /// A call waits for the play lock. Each call of this function is paired with one of ``endWaiting()``.
    public mutating func beginWaiting() { waiting += 1 }

    /// A call has its game, or no longer waits.
    public mutating func endWaiting() { waiting -= 1 }

    /// A call wants the play lock.
    public mutating func take(at now: ContinuousClock.Instant) -> [Effect] { follow(lease.take(at: now), at: now) }

    /// A call wants the play lock and asks the holder to stop.
    public mutating func request(at now: ContinuousClock.Instant) -> [Effect] {
        follow(lease.state == .free ? lease.take(at: now) : lease.request(at: now), at: now)
    }

    /// A call takes the play lock, although another machine may play.
    public mutating func force(at now: ContinuousClock.Instant) -> [Effect] { follow(lease.force(at: now), at: now) }

    /// The last call no longer waits. The lock may have been granted in that moment.
    public mutating func stopTaking(at now: ContinuousClock.Instant) -> [Effect] {
        guard lease.state != .held || (!games.isRunning && games.comeback == .none) else { return [] }
        return follow(lease.release(), at: now)
    }

    /// A game of `huddle play` begins.
    /// - Parameter newest: the newest versions
    public mutating func begin(newest: [SnapshotID], at now: ContinuousClock.Instant) -> (game: Int, effects: [Effect])
    {
        let game = games.begin(at: now, newest: newest)
        // The lock may have been lost and released while the game waited for the folder.
        return (game, lease.state == .free ? follow([], at: now) : [])
    }

    /// A game runs that began before the daemon did. If another machine plays by now, the saves of both are a conflict.
    public mutating func resume(
        since: ContinuousClock.Instant,
        newest: [SnapshotID],
        at now: ContinuousClock.Instant
    ) -> (game: Int, effects: [Effect]) {
        let game = games.begin(at: since, newest: newest)
        return (game, follow(lease.goOn(at: now, since: games.since ?? since), at: now))
    }

    /// Games of `huddle play` have ended. The last one releases the play lock.
    /// - Parameter isClosing: true if the daemon ends and the game may outlive it. Other machines then wait until they
    ///   hear that it has ended.
    public mutating func end(
        _ over: Set<Int>,
        isClosing: Bool = false,
        at now: ContinuousClock.Instant
    ) -> [Effect] {
        games.numbers.subtract(over)
        return games.numbers.isEmpty ? release(isClosing: isClosing, at: now) : []
    }

    private mutating func release(isClosing: Bool, at now: ContinuousClock.Instant) -> [Effect] {
        games.comeback = .none
        var effects: [Effect] = []
        if games.writer != nil {
            // If the program still has a file open, the watch finds it again.
            games.writer = nil
            effects.append(.lookForWriter)
        }
        guard !games.isProgramRunning, !isClosing else { return effects }
        return effects + follow(waiting > 0 ? [] : lease.release(), at: now)
    }

    /// The program that the user named for the game runs.
    public mutating func programFound(since: ContinuousClock.Instant, at now: ContinuousClock.Instant) -> [Effect] {
        (games.isProgramRunning, games.since) = (true, since)
        return follow(lease.take(at: now, since: since), at: now)
    }

    /// The program has ended. The caller looks for another of the same name, then calls ``programEnded(at:)``.
    public mutating func programGone() { games.isProgramRunning = false }

    /// The program has ended and a scan has read its save, or the user named another program.
    public mutating func programEnded(at now: ContinuousClock.Instant) -> [Effect] {
        games.isProgramRunning = false
        return follow(games.isRunning || waiting > 0 ? [] : lease.release(), at: now)
    }

    // MARK: Files that are open

    /// A program has a file open for writing.
    public mutating func opened(by name: String, at now: ContinuousClock.Instant) -> [Effect] {
        guard games.writer == nil else {
            games.writer?.name = name
            if games.writer?.phase == .closed { games.writer?.phase = .playing }
            return []
        }
        games.writer = .init(name: name, since: now, phase: .saving(until: now + patience.saving))
        // A game from before the restart has been seen for long enough.
        return games.comeback == .none ? [] : countWriter(at: now)
    }

    private mutating func countWriter(at now: ContinuousClock.Instant) -> [Effect] {
        games.writerBecomesGame()
        return follow(lease.take(at: now, since: games.since), at: now)
    }

    /// All files are closed, or the folder is missing.
    public mutating func filesClosed() { games.filesClosed() }

    /// The game has another folder. The watch reports again if a program saves there.
    public mutating func folderChanged() { games.forgetSaving() }

    /// A scan has read the last save of a program.
    public mutating func savedWasRead(isClosing: Bool = false, at now: ContinuousClock.Instant) -> [Effect] {
        guard games.writer?.phase == .closed else { return [] }
        games.writer = nil
        // It is not known yet if a game from before the restart runs.
        guard !games.isRunning, games.comeback == .none, !isClosing else { return [] }
        return follow(waiting > 0 ? [] : lease.release(), at: now)
    }

    // MARK: Elsewhere

    /// Another machine claims the play lock.
    public mutating func heard(_ claim: LeaseClaim, named name: String?, at now: ContinuousClock.Instant) -> [Effect] {
        let effects = follow(lease.heard(claim, at: now), at: now) + announceHolder()
        if holder.announced == claim.peer, let name { holder.name = name }
        return effects
    }

    /// Another machine has stopped playing.
    public mutating func heardRelease(_ peer: PeerID, at now: ContinuousClock.Instant) -> [Effect] {
        follow(lease.heardRelease(peer, at: now), at: now) + announceHolder()
    }

    /// A user of another machine wants to play.
    public mutating func heardRequest(_ peer: PeerID, at now: ContinuousClock.Instant) -> [Effect] {
        follow(lease.heardRequest(peer), at: now)
    }

    /// A machine has connected, and must learn which machine plays.
    public mutating func met(at now: ContinuousClock.Instant) -> [Effect] { follow(lease.met(at: now), at: now) }

    // MARK: Players that were cut off

    /// The connection to a machine broke while it played.
    /// - Parameter saved: its greatest counter in the versions that are known of it
    mutating func wasCutOff(_ player: PeerID, saved: UInt64) -> [Effect] {
        holder.cutOff = CutOffPlay(of: player, saved: saved)
        return [.tellCutOff(nil)] + saveHolder()
    }

    /// Ends the play that was cut off, once none of its saves can be missing here.
    mutating func settleCutOff(_ peers: SharePeers, _ heads: VersionState) -> [Effect] {
        guard let play = holder.cutOff, peers.isOver(play, heads, claimant: lease.claimant) else { return [] }
        return barred(play.player)
    }

    /// A machine may no longer sync here, so no save of it is awaited.
    mutating func barred(_ player: PeerID) -> [Effect] {
        guard holder.cutOff?.player == player else { return [] }
        holder.cutOff = nil
        return [.withdrawCutOff(of: player)] + saveHolder()
    }

    /// A machine begins to exchange the game with this one, and has not heard which other one was cut off.
    ///
    /// It must hear that before it hears of versions: a machine that knows those of all others begins its game. It
    /// hears only of the play that this machine saw being cut off. Otherwise two machines could remind each other for
    /// ever.
    func greeted(_ peer: PeerID) -> [Effect] {
        holder.cutOff.map { $0.player != peer } ?? false ? [.tellCutOff(peer)] : []
    }

    // MARK: Restarts

    /// Continues with the holder from the ledger.
    /// - Parameter silence: the time since the holder made the claim
    public mutating func recall(
        _ claim: LeaseClaim,
        after silence: Duration,
        at now: ContinuousClock.Instant
    ) -> [Effect] {
        let actions = lease.recall(claim, after: silence, at: now)
        holder.announced = lease.claimant
        // An expired claim is not worth keeping.
        holder.saved = .init(held: held ?? .init(claim: claim, heard: now), cutOff: holder.cutOff)
        if claim.peer == own {
            // A game may outlive its lock, and the claims that other machines heard.
            games.comeback = .awaited(until: now + patience.comeback)
        }
        // This machine did not see a player stop whose claim expired meanwhile.
        let isExpired = claim.peer != own && lease.claimant == nil
        // The game did not begin just now, so no grant is reported.
        return follow(actions.filter { $0 != .granted } + (isExpired ? [.ranOut(claim.peer)] : []), at: now)
    }

    /// Continues with the play from the ledger that was cut off.
    mutating func recall(_ play: CutOffPlay) {
        holder.cutOff = play
        holder.saved = .init(held: holder.saved.held, cutOff: play)
    }

    /// The caller has looked for the program of a game that ran before the restart.
    public mutating func comebackChecked(isClosing: Bool = false, at now: ContinuousClock.Instant) -> [Effect] {
        games.comeback = .none
        guard !games.isRunning else { return [] }
        // Meanwhile another machine may play, or a call may wait for the lock.
        return lease.state == .held ? release(isClosing: isClosing, at: now) : follow([], at: now)
    }

    private var held: HolderMemory.Held? {
        (lease.lastHeld ?? lease.ownHeld).map { .init(claim: $0.claim, heard: $0.heard) }
    }

    private var entry: HolderMemory.Entry { .init(held: held, cutOff: holder.cutOff) }

    private mutating func saveHolder() -> [Effect] {
        guard !holder.isSaving, holder.isNews(entry) else { return [] }
        holder.isSaving = true
        return [.saveHolder]
    }

    /// Returns the next entry to store; nil if the ledger has it.
    public mutating func holderToSave() -> HolderMemory.Entry? {
        guard holder.isNews(entry) else {
            holder.isSaving = false
            return nil
        }
        holder.saved = entry
        return entry
    }
}
