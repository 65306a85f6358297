import LinuxPlatform
public import SaveRules
import Session

/// What happens around a game.
extension SaveKeeper {
    /// What is done where another plays.
    public enum Takeover: Hashable, Sendable {
        /// Nothing: it is refused.
        case none
        /// Whoever plays is asked to let go, and waited for.
        case asked
        /// It is taken, and what both save will be a conflict.
        case forced
    }

    /// What is newest is being waited for no longer.
    public enum Readiness: Hashable, Sendable {
        /// All that is known to be newest is in the folder.
        case ready
        /// A person has to choose between versions first.
        case conflict
        /// It did not come in time.
        case late
    }

    /// Waits for the newest version, as far as this machine and those that are there know.
    public func newest(of id: SaveSetID, within limit: Duration) async throws -> Readiness {
        let isQuiet = await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await self.untilQuiet(id)) != nil }
            group.addTask {
                try? await Engine.loop.sleep(for: limit)
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
        let set = try await present(id)
        if set.heads.state == .split { return .conflict }
        return isQuiet && set.heads.pending == nil ? .ready : .late
    }

    /// Takes the lease of a set: a game is about to begin here. Returns when it is this machine's.
    /// - Throws: ``SaveSyncError`` where another plays and does not let go
    public func beginPlaying(_ id: SaveSetID, _ takeover: Takeover = .none) async throws {
        takers[id, default: 0] += 1
        let failure = await failureToTake(id, takeover)
        if failure != nil, takers[id] == 1 { sets[id]?.giveUpTaking() }
        takers[id] = takers[id].flatMap { $0 > 1 ? $0 - 1 : nil }
        if let failure { throw failure }
        try set(id).beginGame(at: .now)
    }

    // because the optimizer of Swift 6.3.1 can't compile the two in one
    private func failureToTake(_ id: SaveSetID, _ takeover: Takeover) async -> (any Error)? {
        do {
            try await present(id).take(takeover)
            return nil
        } catch {
            return error
        }
    }

    /// A game goes on that was begun before this program was. Answers who plays elsewhere, as far as is known.
    /// - Parameter played: for how long it has run
    public func goOnPlaying(_ id: SaveSetID, for played: Duration) throws -> Lease.Holder? {
        let set = try set(id)
        set.goOn(since: .now - played)
        return set.lease.holder(at: .now)
    }

    /// Which game runs that was begun or goes on by one of the calls above, counted from the start of the program; nil where none does.
    public func game(of id: SaveSetID) -> Int? { sets[id].flatMap { $0.isPlayedByHand ? $0.gameCount : nil } }

    /// The game is over: reads what it saved, and lets others play.
    public func endPlaying(_ id: SaveSetID) async throws {
        _ = try set(id)
        let game = game(of: id)
        // While what it saved is read, the next one may begin.
        defer { if self.game(of: id) == game { sets[id]?.release() } }
        try await alone(id) { try await $0.read() }
    }
}
