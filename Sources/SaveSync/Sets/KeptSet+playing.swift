import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The players of the game.
extension KeptSet {
    func settleTaking(_ outcome: Result<Void, any Error>) {
        leaseOutcome?.settle(outcome)
        leaseOutcome = nil
    }

    /// Why no game may begin here though it was to; nil if this machine has the play lock.
    var denial: SaveSyncError? {
        guard machine.play.lease.state != .held, let holder = machine.play.lease.holder(at: .current) else {
            return nil
        }
        return denial(holder.peer)
    }

    func denial(_ peer: PeerID) -> SaveSyncError {
        let name = (machine.play.holder.announced == peer ? machine.play.holder.name : nil) ?? sessions[peer]?.name
        return .playing(name ?? peer.short, machine.play.lease.holder(at: .current)?.played ?? .zero)
    }

    /// Takes the play lock, and returns when this machine has it.
    func take(_ takeover: SaveKeeper.Takeover) async throws {
        guard machine.play.lease.state != .held else { return }
        if takeover == .none, machine.play.lease.state == .asking, let denial { throw denial }
        // Several calls may wait for the same.
        let outcome = leaseOutcome ?? Promise<Void>()
        leaseOutcome = outcome
        switch takeover {
        case .none: handle(.play(.takes))
        case .asked: handle(.play(.requests))
        case .forced:
            if let holder = machine.play.lease.holder(at: .current) { note("lease-forced", about: holder.peer) }
            handle(.play(.forces))
        }
        try await outcome.value()
    }

    /// The last call that waited for the play lock waits no longer.
    func giveUpTaking() {
        leaseOutcome = nil
        handle(.play(.stopsTaking))
    }

    /// A game of `huddle play` begins.
    func beginGame() -> Int {
        let (game, effects) = update { $0.beginGame(at: .current) }
        perform(effects)
        return game
    }

    /// A game runs that began before the daemon did.
    func goOn(since time: ContinuousClock.Instant) -> Int {
        let (game, effects) = update { $0.resumeGame(since: time, at: .current) }
        perform(effects)
        return game
    }

    func endGames(_ over: Set<Int>) { handle(.play(.ended(over))) }

    // MARK: Restarts

    /// Continues with the holder that the ledger has.
    func recall(_ kept: KeptClaim?) async {
        guard let kept else { return }
        // Users hear of the holder by its name, so the name comes first. If the ledger has none, they see the id.
        let effects = update { $0.handle(.play(.recalled(kept.claim, after: kept.silence(at: .now))), at: .current) }
        if let holder = machine.play.holder.announced {
            handle(.play(.holderNamed((try? await keeper.ledger.peer(holder))?.name?.description)))
        }
        perform(effects)
    }

    // MARK: Programs

    /// Looks for the program that counts as playing the game. This happens before the folder is read or changed, when another machine
    /// says that it plays, and when a file of the game is opened.
    func lookForProgram() async { await program.look(for: self) }

    /// The user named another program, or none.
    func endProgram() {
        program.forget()
        handle(.play(.programEnded))
    }

    /// What a program with an open file has saved at its end was read, or can't be.
    func endWriting() { handle(.play(.savedWasRead)) }
}
