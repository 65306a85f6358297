import Vocabulary

/// The players of a game.
extension SaveSetMachine {
    mutating func handle(_ event: SaveSetEvent.Play, at now: ContinuousClock.Instant) -> [SaveSetEffect] {
        switch event {
        case .waits: play.beginWaiting()
        case .waitsNoLonger: play.endWaiting()
        case .takes: return played(play.take(at: now))
        case .requests: return played(play.request(at: now))
        case .forces: return played(play.force(at: now))
        case .stopsTaking: return played(play.stopTaking(at: now))
        case .ended(let games): return played(play.end(games, isClosing: life == .ending, at: now))
        case .programFound(let since): return played(play.programFound(since: since, at: now))
        case .programGone: play.programGone()
        case .programEnded: return played(play.programEnded(at: now))
        case .comebackChecked: return played(play.comebackChecked(isClosing: life == .ending, at: now))
        case .savedWasRead: return played(play.savedWasRead(isClosing: life == .ending, at: now))
        case .filesClosed: play.filesClosed()
        case .claimed(let claim, let name): return played(play.heard(claim, named: name, at: now))
        case .released(let peer): return played(play.heardRelease(peer, at: now))
        case .requested(let peer): return played(play.heardRequest(peer, at: now))
        case .recalled(let claim, let silence): return played(play.recall(claim, after: silence, at: now))
        case .recalledCutOff(let cutOff): play.recall(cutOff)
        case .holderNamed(let name): play.holder.name = name
        }
        return []
    }

    /// Passes effects on. If no game runs now, the folder's worker retries a version that could not be applied.
    mutating func played(_ effects: [PlayTracker.Effect]) -> [SaveSetEffect] {
        let retries = play.mayApply && heads.pending != nil && folder.retryApplying()
        let all = effects.flatMap { effect -> [PlayTracker.Effect] in
            guard case .report(.ranOut(let player)) = effect else { return [effect] }
            peers.awaitReturn(of: player)
            return [effect] + play.wasCutOff(player, saved: peers.counter(of: player, heads))
        }
        return all.map { .play($0) } + (retries ? [.work] : [])
    }

    /// Ends what is known of players that were cut off, as soon as none of their saves can be missing here.
    mutating func settleCutOffs() -> [SaveSetEffect] {
        peers.dropCutOffs(heads, claimant: play.lease.claimant)
        return play.settleCutOff(peers, heads).map { .play($0) }
    }

    /// Begins a game of `huddle play`.
    /// - Returns: its number, and the effects
    public mutating func beginGame(at now: ContinuousClock.Instant) -> (game: Int, effects: [SaveSetEffect]) {
        let (game, effects) = play.begin(newest: heads.heads, at: now)
        return (game, played(effects))
    }

    /// Continues a game that began before the daemon did.
    /// - Returns: its number, and the effects
    public mutating func resumeGame(
        since time: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> (game: Int, effects: [SaveSetEffect]) {
        let (game, effects) = play.resume(since: time, newest: heads.heads, at: now)
        return (game, played(effects))
    }

    /// Returns the next holder to store; nil if the ledger has it.
    public mutating func holderToSave() -> HolderMemory.Entry? { play.holderToSave() }
}
