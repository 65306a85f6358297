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
            group.addTask { (try? await self.untilQuiet(id, isNewestWanted: true)) != nil }
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

    /// Takes the lease of a set: a game is about to begin here. Returns when it is this machine's, with a number for the game.
    /// - Throws: ``SaveSyncError`` where another plays and does not let go
    @discardableResult
    public func beginPlaying(_ id: SaveSetID, _ takeover: Takeover = .none) async throws -> Int {
        takers[id, default: 0] += 1
        let failure = await failureToTake(id, takeover)
        if failure != nil, takers[id] == 1 { sets[id]?.giveUpTaking() }
        takers[id] = takers[id].flatMap { $0 > 1 ? $0 - 1 : nil }
        if let failure { throw failure }
        return try set(id).beginGame(at: .now)
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

    /// A game goes on that was begun before this program was. Answers its number, and who plays elsewhere, as far as is known.
    /// - Parameter played: for how long it has run
    public func goOnPlaying(_ id: SaveSetID, for played: Duration) throws -> (game: Int, holder: Lease.Holder?) {
        let set = try set(id)
        let game = set.goOn(since: .now - played)
        return (game, set.lease.holder(at: .now))
    }

    /// The games that were begun or go on by one of the calls above, and are not over.
    public func games(of id: SaveSetID) -> Set<Int> { sets[id]?.games ?? [] }

    /// A game is over: reads what it saved, and lets others play where it was the last.
    /// - Parameter game: which; nil for all that run now
    public func endPlaying(_ id: SaveSetID, game: Int? = nil) async throws {
        let over = try game.map { [$0] } ?? set(id).games
        // While what it saved is read, the next one may begin.
        defer { sets[id]?.endGames(over) }
        try await alone(id) { try await $0.read() }
    }
}
