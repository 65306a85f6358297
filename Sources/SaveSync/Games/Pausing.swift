import Ledger
public import LinuxPlatform
public import SaveRules
import Session
public import Vocabulary

/// The pauses of games, and the moment at which the next one ends by itself.
///
/// While a game is paused, none of its data is sent or received, and no version of another machine is applied. Its
/// saves become versions as usual, and are sent after the pause.
@Engine
public final class Pausing {
    private let services: SaveServices
    private let games: GameRegistry
    private let sessions: GameSessions
    private var timer = MachineTimer()
    /// Held while a change is stored and carried out. The ledger must have the last change, and each change waits for
    /// the ledger.
    private let turn = AsyncMutex()

    init(_ services: SaveServices, _ games: GameRegistry, _ sessions: GameSessions) {
        (self.services, self.games, self.sessions) = (services, games, sessions)
    }

    // MARK: Users

    /// The pause of a game; nil if it syncs.
    public func pause(of set: SaveSetID) -> SyncPause? { games.pauses[set] }

    /// True if all games are paused, also those that are shared later.
    public var areAllPaused: Bool { games.pauses.areOfAll }

    /// Pauses a game, or all games. Returns when no step that changes a folder is under way.
    /// - Parameters:
    ///   - set: the game; nil for all
    ///   - length: the length of the pause; nil for a pause until the user resumes
    public func pause(_ set: SaveSetID?, for length: Duration?) async throws {
        if let set { _ = try games.game(set) }
        let end = length.map { WallTime.now + $0.components.seconds }
        try await change { $0.pause(set, until: end?.secondsSince1970) }
        services.node.audit("saves-paused", about: nil, set.map { [.init("set", $0.description)] } ?? [])
        for paused in games.all where set == nil || paused.id == set {
            // A disk that gives no answer holds up no caller.
            try? await paused.set.whileDiskAnswers { await paused.work.alone {} }
        }
    }

    /// Ends the pause of a game, or every pause.
    /// - Throws: if the game is paused together with all others
    public func resume(_ set: SaveSetID?) async throws {
        if let set {
            let name = try games.game(set).entry.name
            guard !areAllPaused else { throw SaveSyncError.allPaused(name) }
        }
        try await change { $0.resume(set) }
        services.node.audit("saves-resumed", about: nil, set.map { [.init("set", $0.description)] } ?? [])
    }

    // MARK: Changes

    func load() async throws {
        games.pauses = try await services.ledger.pauses()
        // Pauses that ended while the daemon was off.
        games.pauses.endDue(at: now)
    }

    /// Stores the change, then carries it out for each game whose pause it changes.
    func change(_ change: @Engine (inout SyncPauses) throws -> Void) async throws {
        try await turn.alone {
            let before = games.pauses
            var next = before
            try change(&next)
            guard next != before else { return }
            try await services.ledger.keep(next)
            adopt(next)
        }
    }

    private func adopt(_ next: SyncPauses) {
        let before = games.pauses
        games.pauses = next
        setTimer()
        for set in games.all.sorted(by: { $0.entry.name < $1.entry.name }) {
            switch (before[set.id], next[set.id]) {
            case (let old, let new?) where old != new:
                set.handle(.life(.paused(new)))
                if old == nil { sessions.pause(set) }
                set.tell(.paused(new))
            case (.some, nil):
                set.handle(.life(.paused(nil)))
                endPause(of: set)
                set.tell(.resumed)
            default: break
            }
        }
    }

    /// Exchanges a game again, and applies versions that the pause held back.
    private func endPause(of set: SaveSetRunner) {
        sessions.resume(set)
        services.tasks.add { await set.versions.resume() }
    }

    /// Sets the timer for the next end of a pause.
    func setTimer() {
        let wait = games.pauses.nextEnd.map { Duration.seconds(max($0 - now, 0)) }
        timer.set(for: self, at: wait.map { .current + $0 }) { $0.timePassed() }
    }

    private func timePassed() {
        services.tasks.add {
            do {
                try await self.change { $0.endDue(at: self.now) }
            } catch {
                // On a full disk the pause ends all the same. The next start ends it, too.
                var next = self.games.pauses
                next.endDue(at: self.now)
                self.adopt(next)
            }
            // The clock may have been set back meanwhile.
            self.setTimer()
        }
    }

    private var now: Int64 { WallTime.now.secondsSince1970 }
}
