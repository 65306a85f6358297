import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The calls that begin and end games of one save set on this machine.
@Engine final class LocalPlay {
    private let set: SaveSet
    private let program: GameProgram
    /// Calls that wait for the play lock.
    private(set) var taking: Promise<Void>?

    init(_ set: SaveSet, _ program: GameProgram) { (self.set, self.program) = (set, program) }

    func settleTaking(_ outcome: Result<Void, any Error>) {
        taking?.settle(outcome)
        taking = nil
    }

    /// Why no game may begin here though it was to; nil if this machine has the play lock.
    var denial: SaveSyncError? {
        guard set.machine.play.lease.state != .held, let holder = set.machine.play.lease.holder(at: .current) else {
            return nil
        }
        return denial(holder.peer)
    }

    func denial(_ peer: PeerID) -> SaveSyncError {
        let name =
            (set.machine.play.holder.announced == peer ? set.machine.play.holder.name : nil) ?? set.sessions[peer]?.name
        return .playing(name ?? peer.short, set.machine.play.lease.holder(at: .current)?.played ?? .zero)
    }

    /// Takes the play lock, and returns when this machine has it.
    func take(_ takeover: PlayTakeover) async throws {
        guard set.machine.play.lease.state != .held else { return }
        if takeover == .none, set.machine.play.lease.state == .asking, let denial { throw denial }
        // Several calls may wait for the same.
        let outcome = taking ?? Promise<Void>()
        taking = outcome
        switch takeover {
        case .none: set.handle(.play(.takes))
        case .asked: set.handle(.play(.requests))
        case .forced:
            if let holder = set.machine.play.lease.holder(at: .current) { set.note("lease-forced", about: holder.peer) }
            set.handle(.play(.forces))
        }
        try await outcome.value()
    }

    /// The last call that waited for the play lock waits no longer.
    func giveUpTaking() {
        taking = nil
        set.handle(.play(.stopsTaking))
    }

    /// A game of `huddle play` begins.
    func beginGame() -> Int {
        let (game, effects) = set.update { $0.beginGame(at: .current) }
        set.carryOut(effects)
        return game
    }

    /// A game runs that began before the daemon did.
    func goOn(since time: ContinuousClock.Instant) -> Int {
        let (game, effects) = set.update { $0.resumeGame(since: time, at: .current) }
        set.carryOut(effects)
        return game
    }

    func endGames(_ over: Set<Int>) { set.handle(.play(.ended(over))) }

    // MARK: Restarts

    /// Continues with the holder that the ledger has.
    func recall(_ kept: KeptClaim?) async {
        guard let kept else { return }
        // Users hear of the holder by its name, so the name comes first. If the ledger has none, they see the id.
        let effects = set.update {
            $0.handle(.play(.recalled(kept.claim, after: kept.silence(at: .now))), at: .current)
        }
        if let holder = set.machine.play.holder.announced {
            set.handle(.play(.holderNamed((try? await set.services.ledger.peer(holder))?.name?.description)))
        }
        set.carryOut(effects)
    }

    // MARK: Programs

    /// The user named another program, or none.
    func endProgram() {
        program.forget()
        set.handle(.play(.programEnded))
    }
}
