import Ledger
import LinuxPlatform
public import SaveRules
import Session
public import Vocabulary

/// The pauses of games, and the moment at which the next one ends by itself.
///
/// While a game is paused, nothing of it is sent or received, and no version of another machine comes into its folder. What it saves is kept as
/// ever, and is sent after the pause.
@Engine
final class Pausing {
    // because the keeper owns this object, and everything that runs here is part of its run
    private unowned let keeper: SaveKeeper
    private(set) var pauses = SyncPauses()
    private var timer = MachineTimer()
    /// One change at a time, so that the ledger has the last one.
    private let turn = AsyncMutex()

    init(_ keeper: SaveKeeper) { self.keeper = keeper }

    func load() async throws {
        pauses = try await keeper.services.ledger.pauses()
        // Pauses that ended while the daemon was off.
        pauses.endDue(at: now)
    }

    /// Stores the change, then carries it out for each game whose pause it changes.
    func change(_ change: @Engine (inout SyncPauses) throws -> Void) async throws {
        try await turn.alone {
            let before = pauses
            var next = before
            try change(&next)
            guard next != before else { return }
            try await keeper.services.ledger.keep(next)
            adopt(next)
        }
    }

    private func adopt(_ next: SyncPauses) {
        let before = pauses
        pauses = next
        setTimer()
        for set in keeper.sets.values.sorted(by: { $0.entry.name < $1.entry.name }) {
            switch (before[set.id], next[set.id]) {
            case (let old, let new?) where old != new:
                set.handle(.life(.paused(new)))
                if old == nil { keeper.beginPause(of: set) }
                set.tell(.paused(new))
            case (.some, nil):
                set.handle(.life(.paused(nil)))
                keeper.endPause(of: set)
                set.tell(.resumed)
            default: break
            }
        }
    }

    /// Waits for the next end.
    func setTimer() {
        let wait = pauses.nextEnd.map { Duration.seconds(max($0 - now, 0)) }
        timer.set(for: self, at: wait.map { .current + $0 }) { $0.timePassed() }
    }

    private func timePassed() {
        keeper.services.crew.add {
            do {
                try await self.change { $0.endDue(at: self.now) }
            } catch {
                // A full disk keeps no pause alive: the next start ends it, too.
                var next = self.pauses
                next.endDue(at: self.now)
                self.adopt(next)
            }
            // The clock may have been set back meanwhile.
            self.setTimer()
        }
    }

    private var now: Int64 { WallTime.now.secondsSince1970 }
}

extension SaveKeeper {
    /// The pause of a game; nil if it syncs.
    public func pause(of set: SaveSetID) -> SyncPause? { pausing.pauses[set] }

    /// True if all games are paused, also those that are shared later.
    public var areAllPaused: Bool { pausing.pauses.areOfAll }

    /// Pauses a game, or all games. Returns when no step that changes a folder is under way.
    /// - Parameters:
    ///   - set: which game; nil for all
    ///   - length: for how long; nil until the user resumes
    public func pause(_ set: SaveSetID?, for length: Duration?) async throws {
        if let set { _ = try self.set(set) }
        let end = length.map { WallTime.now + $0.components.seconds }
        try await pausing.change { $0.pause(set, until: end?.secondsSince1970) }
        services.node.audit("saves-paused", about: nil, set.map { [.init("set", $0.description)] } ?? [])
        for paused in sets.values where set == nil || paused.id == set {
            // A disk that gives no answer holds up no caller.
            try? await paused.set.whileDiskAnswers { await paused.work.alone {} }
        }
    }

    /// Ends the pause of a game, or every pause.
    /// - Throws: if the game is paused together with all others
    public func resume(_ set: SaveSetID?) async throws {
        if let set {
            let name = try self.set(set).entry.name
            guard !areAllPaused else { throw SaveSyncError.allPaused(name) }
        }
        try await pausing.change { $0.resume(set) }
        services.node.audit("saves-resumed", about: nil, set.map { [.init("set", $0.description)] } ?? [])
    }

    /// A machine says that its user has paused a game. Answers whether the game is shared with it.
    func takePause(of set: SaveSetID, from peer: SavePeer) -> Bool {
        guard let kept = sets[set], kept.machine.peers.allowed.contains(peer.id) else { return false }
        kept.exchange.parts(from: peer.id)
        connections.noteArrival()
        return true
    }
}

extension SaveKeeper {
    /// Tells the machines that share a game, and exchanges nothing with them from now on.
    fileprivate func beginPause(of set: SaveSetRunner) {
        for peer in Array(set.sessions.keys) { set.exchange.parts(from: peer) }
        for peer in connections.peers.values where set.machine.partners.contains(peer.id) { peer.pause(set.id) }
    }

    func isPaused(_ set: SaveSetID, by peer: PeerID) -> Bool {
        connections.peers[peer]?.paused.contains(set) == true
    }

    /// Exchanges a game again, and applies what was kept out meanwhile.
    fileprivate func endPause(of set: SaveSetRunner) {
        spread(set)
        for peer in connections.peers.values
        where set.machine.sharers.contains(peer.id) && peer.offered.contains(set.id) {
            if set.sessions[peer.id] == nil { set.exchange.meets(peer) }
        }
        services.crew.add { await set.versions.resume() }
    }
}
