import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Who plays the game: carries out what ``PlayTracker`` says.
extension KeptSet {
    func perform(_ effects: [PlayTracker.Effect]) {
        for effect in effects { perform(effect) }
        setTimer()
        if play.mayApply, heads.pending != nil, folder.retryApplying() { lookUp() }
    }

    private func perform(_ effect: PlayTracker.Effect) {
        switch effect {
        case .send(let claim): for session in sessions.values { session.send(.claim(id, claim)) }
        case .sendRelease: for session in sessions.values { session.send(.release(id)) }
        case .sendRequest(let peer): sessions[peer]?.send(.request(id))
        case .report(let news):
            if case .lost(let peer) = news { note("lease-lost", about: peer) }
            tell(.lease(news))
        case .grant: settleTaking(.success(()))
        case .deny(let peer): settleTaking(.failure(denial(peer)))
        case .saveHolder: saveHolder()
        case .lookForWriter: keeper.crew.add { await self.keeper.places.lookAgain(at: self.id) }
        case .lookForComeback:
            keeper.crew.add {
                await self.lookForProgram()
                self.perform(self.play.comebackChecked(isClosing: self.keeper.isEnding, at: .current))
            }
        }
    }

    func settleTaking(_ outcome: Result<Void, any Error>) {
        leaseOutcome?.settle(outcome)
        leaseOutcome = nil
    }

    /// Why no game may begin here though it was to; nil if this machine has the play lock.
    var denial: SaveSyncError? {
        guard play.lease.state != .held, let holder = play.lease.holder(at: .current) else { return nil }
        return denial(holder.peer)
    }

    private func denial(_ peer: PeerID) -> SaveSyncError {
        let name = (play.holder.announced == peer ? play.holder.name : nil) ?? sessions[peer]?.name
        return .playing(name ?? peer.short, play.lease.holder(at: .current)?.played ?? .zero)
    }

    /// Takes the play lock, and returns when this machine has it.
    func take(_ takeover: SaveKeeper.Takeover) async throws {
        guard play.lease.state != .held else { return }
        if takeover == .none, play.lease.state == .asking, let denial { throw denial }
        // Several calls may wait for the same.
        let outcome = leaseOutcome ?? Promise<Void>()
        leaseOutcome = outcome
        switch takeover {
        case .none: perform(play.take(at: .current))
        case .asked: perform(play.request(at: .current))
        case .forced:
            if let holder = play.lease.holder(at: .current) { note("lease-forced", about: holder.peer) }
            perform(play.force(at: .current))
        }
        try await outcome.value()
    }

    /// The last call that waited for the play lock waits no longer.
    func giveUpTaking() {
        leaseOutcome = nil
        perform(play.stopTaking(at: .current))
    }

    /// A game of `huddle play` begins.
    func beginGame() -> Int {
        let (game, effects) = play.begin(newest: heads.heads, at: .current)
        perform(effects)
        return game
    }

    /// A game runs that began before the daemon did.
    func goOn(since time: ContinuousClock.Instant) -> Int {
        let (game, effects) = play.resume(since: time, newest: heads.heads, at: .current)
        perform(effects)
        return game
    }

    func endGames(_ over: Set<Int>) { perform(play.end(over, isClosing: keeper.isEnding, at: .current)) }

    // MARK: Restarts

    /// Continues with the holder that the ledger has.
    func recall(_ kept: KeptClaim?) async {
        guard let kept else { return }
        let effects = play.recall(kept.claim, after: kept.silence(at: .now), at: .current)
        if let holder = play.holder.announced {
            // If the ledger has no name, users see the id.
            play.holder.name = (try? await keeper.ledger.peer(holder))?.name?.description
        }
        perform(effects)
    }

    private func saveHolder() {
        keeper.crew.add {
            while self.life != .left, let change = self.play.holderToSave() {
                let ago = change.held.map { ContinuousClock.Instant.current - $0.heard } ?? .zero
                // Other errors tell of a full disk; the holder's next claim is written again.
                try? await self.keeper.ledger.keep(
                    change.held?.claim,
                    of: self.id,
                    heardAt: .now + -ago.components.seconds
                )
            }
        }
    }

    // MARK: Programs

    /// Looks for the program that counts as playing the game. This happens before the folder is read or changed, when another machine
    /// says that it plays, and when a file of the game is opened.
    func lookForProgram() async { await program.look(for: self) }

    /// The user named another program, or none.
    func endProgram() {
        program.forget()
        perform(play.programEnded(at: .current))
    }

    /// A file of the game is open for writing.
    func hearsWriting(by who: String) {
        if isAlive { perform(play.opened(by: who, at: .current)) }
    }

    /// What a program with an open file has saved at its end was read, or can't be.
    func endWriting() { perform(play.savedWasRead(isClosing: keeper.isEnding, at: .current)) }

    /// Whether the newest version is here and waits only for the end of a game, or of another program that uses the folder.
    var waitsForGame: Bool {
        guard heads.state == .behind, !awaitsNewer, let pending = heads.pending, quarantine[pending] == nil else {
            return false
        }
        return !play.mayApply || play.games.writer != nil || folder.isKeptOut(pending)
    }
}
