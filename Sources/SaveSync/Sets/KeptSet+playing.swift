import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Who plays the set.
extension KeptSet {
    func perform(_ actions: [Lease.Action]) {
        for action in actions {
            switch action {
            case .send(let claim): for part in parts.values { part.peer.send(.claim(id, claim)) }
            case .sendRelease: for part in parts.values { part.peer.send(.release(id)) }
            case .sendRequest(let peer): parts[peer]?.peer.send(.request(id))
            case .granted:
                tell(.lease(.granted))
                settleTaking(.success(()))
            case .denied(let peer):
                tell(.lease(.denied(peer)))
                // Who asked for it waits on, whoever else would like it at once.
                if lease.state != .asking { settleTaking(.failure(denial(peer))) }
            case .tellRequest(let peer): tell(.lease(.requested(peer)))
            case .lost(let peer):
                note("lease-lost", about: peer)
                tell(.lease(.lost(peer)))
            case .ranOut(let peer):
                (toldHolder, cutOffPlayer) = (nil, peer)
                tell(.lease(.ranOut(peer)))
            case .requestUnanswered(let peer):
                tell(.lease(.unanswered(peer)))
                settleTaking(.failure(denial(peer)))
            }
        }
        if isGameRunning, lease.state == .free {
            // Whoever has played elsewhere does so no more, and here a game runs.
            return perform(lease.take(at: .current, since: playedSince))
        }
        setLeaseTimer()
        keepHolder()
        if mayApply, heads.pending != nil, heldBack != nil {
            heldBack = nil
            lookUp()
        }
    }

    func settleTaking(_ outcome: Result<Void, any Error>) {
        leaseOutcome?.settle(outcome)
        leaseOutcome = nil
    }

    /// Tells who plays elsewhere where that is another than before.
    func noteHolder() {
        let holder = lease.claimant
        guard holder != toldHolder else { return }
        toldHolder = holder
        holderName = holder.flatMap { parts[$0]?.peer.name }
        tell(.lease(holder.map { .taken($0) } ?? .released))
    }

    /// Why no game may begin here though it was to: nil where the lease is this machine's.
    var denial: SaveSyncError? {
        guard lease.state != .held, let holder = lease.holder(at: .current) else { return nil }
        return denial(holder.peer)
    }

    private func denial(_ peer: PeerID) -> SaveSyncError {
        let holder = lease.holder(at: .current)
        let name = (toldHolder == peer ? holderName : nil) ?? parts[peer]?.peer.name
        return .playing(name ?? peer.short, holder?.played ?? .zero)
    }

    private func setLeaseTimer() {
        let deadline = isAlive ? lease.deadline : nil
        leaseTimer.set(for: self, at: deadline) { $0.perform($0.lease.deadlinePassed(at: .current)) }
    }

    /// Takes the lease, in whichever way, and returns when it is ours.
    func take(_ takeover: SaveKeeper.Takeover) async throws {
        guard lease.state != .held else { return }
        if takeover == .none, lease.state == .asking, let holder = lease.holder(at: .current) {
            throw denial(holder.peer)
        }
        // Several may wait for the same.
        let outcome = leaseOutcome ?? Promise<Void>()
        leaseOutcome = outcome
        switch takeover {
        case .none: perform(lease.take(at: .current))
        case .asked:
            perform(lease.state == .free ? lease.take(at: .current) : lease.request(at: .current))
        case .forced:
            if let holder = lease.holder(at: .current) { note("lease-forced", about: holder.peer) }
            perform(lease.force(at: .current))
        }
        try await outcome.value()
    }

    /// Nobody waits for the lease any more.
    func giveUpTaking() {
        leaseOutcome = nil
        // It may have been granted in the moment in which nobody waited any more.
        if lease.state != .held || (!isGameRunning && comebackTimer == nil) { perform(lease.release()) }
    }

    /// A game begins. Answers its number.
    func beginGame(at time: ContinuousClock.Instant) -> Int {
        if games.isEmpty { newestBefore = heads.heads }
        playedSince = isGameRunning ? min(playedSince ?? time, time) : time
        lastGame += 1
        games.insert(lastGame)
        awaitGameNoMore()
        return lastGame
    }

    /// A game goes on that was begun before this program was. Nobody stops it: where another plays by now, what both save is a conflict.
    func goOn(since time: ContinuousClock.Instant) -> Int {
        let game = beginGame(at: time)
        perform(lease.goOn(at: .current, since: playedSince ?? time))
        return game
    }

    /// Games are over. The last one lets others play.
    func endGames(_ over: Set<Int>) {
        games.subtract(over)
        if games.isEmpty { release() }
    }

    func release() {
        awaitGameNoMore()
        forgetWriting()
        // Where this program is about to end, the game may go on without it. Others hear of its end, or take this machine for dead.
        if running.isEmpty, !keeper.isEnding { perform(isWaitedFor ? [] : lease.release()) }
    }
}
