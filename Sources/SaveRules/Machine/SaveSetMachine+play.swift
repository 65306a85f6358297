public import Vocabulary

/// The players of a game.
extension SaveSetMachine {
    /// Events of the games that run here, and of the play lock.
    public enum PlayEvent: Sendable {
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

    mutating func handle(_ event: PlayEvent, at now: ContinuousClock.Instant) -> [Effect] {
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
        case .holderNamed(let name): play.holder.name = name
        }
        return []
    }

    /// Something has changed for the players. Once no game runs, a version that was tried in vain is applied.
    mutating func played(_ effects: [PlayTracker.Effect]) -> [Effect] {
        let retries = play.mayApply && heads.pending != nil && folder.retryApplying()
        return effects.map { .play($0) } + (retries ? [.work] : [])
    }

    /// A game of `huddle play` begins. Answers its number.
    public mutating func beginGame(at now: ContinuousClock.Instant) -> (game: Int, effects: [Effect]) {
        let (game, effects) = play.begin(newest: heads.heads, at: now)
        return (game, played(effects))
    }

    /// A game runs that began before the daemon did. Answers its number.
    public mutating func resumeGame(
        since time: ContinuousClock.Instant,
        at now: ContinuousClock.Instant
    ) -> (game: Int, effects: [Effect]) {
        let (game, effects) = play.resume(since: time, newest: heads.heads, at: now)
        return (game, played(effects))
    }

    /// The next holder to write down; nil if the ledger has it.
    public mutating func holderToSave() -> HolderMemory.Change? { play.holderToSave() }
}
