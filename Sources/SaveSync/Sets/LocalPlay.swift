import Ledger
public import LinuxPlatform
public import SaveRules
import Session
import Vocabulary

/// Begins and ends games on this machine, and waits for the newest version.
@Engine
public final class LocalPlay {
    private let set: SaveSet
    private let program: GameProgram
    private let steps: FolderSteps
    /// Calls that wait for the play lock.
    private(set) var taking: Promise<Void>?

    init(_ set: SaveSet, _ program: GameProgram, _ steps: FolderSteps) {
        (self.set, self.program, self.steps) = (set, program, steps)
    }

    // MARK: Beginning and ending

    /// Takes the play lock before a game begins here, and returns a number for the game once this machine has the lock.
    /// - Throws: ``SaveSyncError`` if another machine plays and keeps the lock
    @discardableResult
    public func begin(_ takeover: PlayTakeover = .none, with newest: NewestWait? = nil) async throws -> Int {
        set.handle(.play(.waits))
        do {
            if let failure = await failureToTake(takeover, newest) { throw failure }
            // If a version is being applied, that ends first. No other version is applied after it.
            try await set.wait { !$0.isFolderHeld }
            guard set.machine.isShared else { throw set.unknown }
            // While this machine waited for the newest version, another one may have taken the lock by force.
            if let denial { throw denial }
            set.handle(.play(.waitsNoLonger))
            let (game, effects) = set.update { $0.beginGame(at: .current) }
            set.carryOut(effects)
            return game
        } catch {
            if set.machine.play.waiting == 1, set.machine.isShared { giveUpTaking() }
            set.handle(.play(.waitsNoLonger))
            throw error
        }
    }

    // A function of its own, because the optimizer of Swift 6.3.1 can't compile it as a part of `begin`.
    private func failureToTake(_ takeover: PlayTakeover, _ newest: NewestWait?) async -> (any Error)? {
        do {
            try await take(takeover)
            if let newest { try newest.check(try await self.newest(within: newest.limit)) }
            return nil
        } catch {
            return error
        }
    }

    /// Continues a game that began before the daemon did. Returns its number, and the machine that plays elsewhere.
    /// - Parameter played: the time for which the game has run
    public func resume(for played: Duration) -> (game: Int, holder: PlayLease.Holder?) {
        let (game, effects) = set.update { $0.resumeGame(since: .current - played, at: .current) }
        set.carryOut(effects)
        return (game, set.machine.play.lease.holder(at: .current))
    }

    /// The numbers of the games that run here.
    public var games: Set<Int> { self.set.machine.isShared ? self.set.machine.play.games.numbers : [] }

    /// Ends a game: scans what it saved, and releases the play lock after the last one.
    /// - Parameter game: its number; nil for all that run now
    /// - Returns: true if there is a newer version than when it began
    @discardableResult
    public func end(game: Int? = nil) async throws -> Bool {
        let over = game.map { [$0] } ?? set.machine.play.games.numbers
        // While its save is scanned, the next game may begin.
        defer { if set.machine.isShared { set.handle(.play(.ended(over))) } }
        do { try await steps.readLast() } catch {
            // The worker retries as soon as that may help, also if no user asks.
            if set.machine.isShared { set.handle(.folder(.scanFailed())) }
            throw error
        }
        guard set.machine.isShared else { throw set.unknown }
        return set.machine.heads.heads != set.machine.play.games.newestBefore
    }

    // MARK: Waiting for versions

    /// Waits for the newest version that this machine and the machines that are online know.
    public func newest(within limit: Duration) async throws -> PlayReadiness {
        let end = ContinuousClock.Instant.current + limit
        while true {
            let wasQuiet = await isQuiet(by: end)
            guard set.machine.isShared else { throw set.unknown }
            // A version may have come since then.
            let isQuiet = set.machine.isQuiet && !set.machine.awaitsNewer
            if wasQuiet, !isQuiet, .current < end { continue }
            // A merge that can't be stored, for example because the disk is full, does not count.
            if set.machine.heads.state == .split || (set.machine.heads.state == .merging && isQuiet) {
                return .conflict
            }
            return isQuiet && set.machine.heads.pending == nil ? .ready : .late
        }
    }

    private func isQuiet(by end: ContinuousClock.Instant) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await self.untilQuiet(isNewestWanted: true)) != nil }
            group.addTask {
                try? await Engine.loop.sleep(for: max(end - .current, .zero))
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }

    /// Waits until nothing is left to do without the user, as far as this machine knows.
    public func untilQuiet() async throws { try await untilQuiet(isNewestWanted: false) }

    /// - Parameter isNewestWanted: true to wait also for machines that have a newer version
    private func untilQuiet(isNewestWanted: Bool) async throws {
        try await set.wait { $0.isQuiet && !(isNewestWanted && $0.awaitsNewer) }
        guard set.machine.life != .left else { throw set.unknown }
    }

    /// Waits until the machines that are online have the newest versions of this one, or until the limit.
    public func spread(within limit: Duration) async {
        guard limit > .zero, !set.machine.behind.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try? await self.set.wait { $0.behind.isEmpty } }
            group.addTask { try? await Engine.loop.sleep(for: limit) }
            await group.next()
        }
    }

    // MARK: The play lock

    func settleTaking(_ outcome: Result<Void, any Error>) {
        taking?.settle(outcome)
        taking = nil
    }

    /// The reason why no game may begin here; nil if this machine has the play lock.
    private var denial: SaveSyncError? {
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
    private func take(_ takeover: PlayTakeover) async throws {
        guard set.machine.play.lease.state != .held else { return }
        if takeover == .none, set.machine.play.lease.state == .asking, let denial { throw denial }
        // Several calls may wait for the lock.
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

    /// Ends the wait for the play lock after the last call has stopped waiting.
    func giveUpTaking() {
        taking = nil
        set.handle(.play(.stopsTaking))
    }

    // MARK: Restarts

    /// Restores the holder of the play lock from the ledger, and the play that was cut off.
    func recall(_ kept: KeptClaim?, cutOff: CutOffPlay?) async {
        var effects = cutOff.map { set.decide(.play(.recalledCutOff($0))) } ?? []
        if let kept { effects += set.decide(.play(.recalled(kept.claim, after: kept.silence(at: .now)))) }
        // Users hear of the holder by its name, so the name comes first. If the ledger has none, they see the id.
        if let holder = set.machine.play.holder.announced {
            set.handle(.play(.holderNamed((try? await set.services.ledger.peer(holder))?.name?.description)))
        }
        set.carryOut(effects)
    }

    // MARK: Programs

    /// Forgets the program, because the user named another one or none.
    func endProgram() {
        program.forget()
        set.handle(.play(.programEnded))
    }
}
