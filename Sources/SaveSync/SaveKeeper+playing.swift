import Ledger
import LinuxPlatform
public import SaveRules
public import Vocabulary

/// What happens around a game.
extension SaveKeeper {
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
        let end = ContinuousClock.Instant.current + limit
        while true {
            let wasQuiet = await isQuiet(id, by: end)
            let set = try set(id)
            // Something may have come since it was.
            let isQuiet = set.machine.isQuiet && !set.machine.awaitsNewer
            if wasQuiet, !isQuiet, .current < end { continue }
            // A merge that can't be kept, as where the disk is full, is none yet.
            if set.machine.heads.state == .split || (set.machine.heads.state == .merging && isQuiet) {
                return .conflict
            }
            return isQuiet && set.machine.heads.pending == nil ? .ready : .late
        }
    }

    private func isQuiet(_ id: SaveSetID, by end: ContinuousClock.Instant) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { (try? await self.untilQuiet(id, isNewestWanted: true)) != nil }
            group.addTask {
                try? await Engine.loop.sleep(for: max(end - .current, .zero))
                return false
            }
            let first = await group.next() ?? false
            group.cancelAll()
            return first
        }
    }

    /// What to wait for between the moment in which the lease is this machine's and the game: whoever has let go saved last of all.
    public struct Newest: Sendable {
        let limit: Duration
        let check: @Engine @Sendable (Readiness) throws -> Void

        /// - Parameters:
        ///   - limit: how long to wait for it
        ///   - check: throws where the game is not to begin with what there is
        public init(within limit: Duration, _ check: @escaping @Engine @Sendable (Readiness) throws -> Void) {
            (self.limit, self.check) = (limit, check)
        }
    }

    /// Takes the lease of a set: a game is about to begin here. Returns when it is this machine's, with a number for the game.
    /// - Throws: ``SaveSyncError`` where another plays and does not let go
    @discardableResult
    public func beginPlaying(
        _ id: SaveSetID,
        _ takeover: PlayTakeover = .none,
        with newest: Newest? = nil
    ) async throws -> Int {
        let set = try set(id)
        set.handle(.play(.waits))
        do {
            if let failure = await failureToTake(id, takeover, newest) { throw failure }
            // What is being put into the folder is put there first, and nothing after it.
            try await set.set.wait { !$0.isFolderHeld }
            guard set.machine.isShared else { throw SaveSyncError.unknownSet(id.description) }
            // While the newest version was awaited another machine may have taken the lock by force.
            if let denial = set.play.denial { throw denial }
            set.handle(.play(.waitsNoLonger))
            return set.play.beginGame()
        } catch {
            if set.machine.play.waiting == 1, set.machine.isShared { set.play.giveUpTaking() }
            set.handle(.play(.waitsNoLonger))
            throw error
        }
    }

    // because the optimizer of Swift 6.3.1 can't compile the two in one
    private func failureToTake(_ id: SaveSetID, _ takeover: PlayTakeover, _ newest: Newest?) async -> (any Error)? {
        do {
            try await set(id).play.take(takeover)
            if let newest { try newest.check(try await self.newest(of: id, within: newest.limit)) }
            return nil
        } catch {
            return error
        }
    }

    /// A game goes on that was begun before this program was. Answers its number, and who plays elsewhere, as far as is known.
    /// - Parameter played: for how long it has run
    public func goOnPlaying(_ id: SaveSetID, for played: Duration) throws -> (game: Int, holder: PlayLease.Holder?) {
        let set = try set(id)
        let game = set.play.goOn(since: .current - played)
        return (game, set.machine.play.lease.holder(at: .current))
    }

    /// The games that were begun or go on by one of the calls above, and are not over.
    public func games(of id: SaveSetID) -> Set<Int> { sets[id]?.machine.play.games.numbers ?? [] }

    /// A game is over: reads what it saved, and lets others play where it was the last.
    /// - Parameter game: which; nil for all that run now
    /// - Returns: whether there is something newer than when it began
    @discardableResult
    public func endPlaying(_ id: SaveSetID, game: Int? = nil) async throws -> Bool {
        let over = try game.map { [$0] } ?? set(id).machine.play.games.numbers
        // While what it saved is read, the next one may begin.
        defer { sets[id]?.play.endGames(over) }
        do { try await set(id).steps.readLast() } catch {
            // It is tried again as soon as that may help, also when nobody asks.
            sets[id]?.handle(.folder(.scanFailed()))
            throw error
        }
        return try set(id).machine.heads.heads != set(id).machine.play.games.newestBefore
    }

    /// Waits for a while until those who are there have what is newest here.
    public func spread(_ id: SaveSetID, within limit: Duration) async throws {
        guard limit > .zero, try !set(id).machine.behind.isEmpty else { return }
        await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try? await self.set(id).untilSpread() }
            group.addTask { try? await Engine.loop.sleep(for: limit) }
            await group.next()
        }
    }
}
