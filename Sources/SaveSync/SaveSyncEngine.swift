import Digests
import History
package import Ledger
public import LinuxPlatform
public import SaveRules
public import Session
public import Vocabulary

/// Keeps the games of this machine in sync: every version of them here, and the newest on all machines that share them.
///
/// Open it beside a node, keep ``run()`` going, and read ``events``. Each object that it hands out has one purpose.
@Engine
public final class SaveSyncEngine {
    /// The sessions with other machines, and the waiting for them.
    public let connections: PeerConnections
    /// The machines of the household that vouch for each other.
    public let household: HouseholdExchange
    /// The machines that a game is shared with.
    public let sharing: GameSharing
    /// The games that this machine adds, joins and stops sharing.
    public let joining: GameJoining
    /// The settings of games.
    public let settings: GameSettings
    /// The pauses of games.
    public let pausing: Pausing
    /// The care for the history of all games.
    public let upkeep: HistoryUpkeep

    let services: SaveServices
    let games: GameRegistry
    let sessions: GameSessions
    private let loader: SaveSetLoader

    /// Opens the history, and all games that the node's ledger knows.
    /// - Parameter places: the folders of this machine
    public static func open(
        _ configuration: SaveConfiguration,
        beside node: Node,
        places: any SavePlaces
    ) async throws -> SaveSyncEngine {
        try await open(configuration, beside: node, node.ledger, places: places)
    }

    package static func open(
        _ configuration: SaveConfiguration,
        beside node: any SaveNetwork,
        _ ledger: Ledger,
        places: any SavePlaces
    ) async throws -> SaveSyncEngine {
        let store = try await PieceService.open(
            at: configuration.history,
            by: configuration.storeCalls,
            beside: ledger
        )
        let engine = SaveSyncEngine(SaveServices(configuration, node, ledger, store, places))
        do {
            try await engine.pausing.load()
            try await engine.loader.load()
            for peer in Set(engine.games.all.flatMap(\.machine.peers.allowed)) {
                await engine.services.rights.lookUp(peer)
            }
        } catch {
            engine.release()
            throw error
        }
        return engine
    }

    private init(_ services: SaveServices) {
        self.services = services
        games = GameRegistry(services)
        sessions = GameSessions(services, games)
        (connections, household) = (sessions.connections, sessions.household)
        sharing = GameSharing(services, games, sessions)
        settings = GameSettings(services, games, sessions)
        pausing = Pausing(services, games, sessions)
        loader = SaveSetLoader(services, games, sessions, settings)
        joining = GameJoining(services, games, sessions, loader, pausing)
        upkeep = HistoryUpkeep(services, games)
    }

    /// Watches, scans, exchanges and applies until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.services.tasks.run() }
            group.addTask { await self.runPlaces() }
            group.addTask { await self.watchSleep() }
            for set in games.all { games.begin(set) }
            // After the start, which must not read all versions.
            for set in games.ids { services.tasks.add { try? await self.services.store.keepRecordsAgain(of: set) } }
            connections.wake()
            // A start takes much memory by itself.
            services.trimmer.worked()
            services.node.whenFound = { [weak self] peer in self?.connections.sees(peer) }
            services.node.whenRightsChange = { [weak self] peer in self?.sharing.looksAgain(at: peer) }
            services.node.whenAnyRightsChange = { [weak self] in self?.sharing.looksAgainAtSharers() }
            // A machine may have been paired just before the daemon was killed.
            services.tasks.add { await self.sharing.offerHouseholdGames() }
            services.tasks.add { await self.household.begin() }
            pausing.setTimer()
            // Some machines may be online at their last address, even if they were not found.
            for peer in Set(games.all.flatMap(\.machine.partners)) { connections.sees(peer) }
            let never = Resumption<Void>()
            // The run ends only when the task is cancelled.
            try? await never.valueUnlessCancelled()
            games.end()
            services.trimmer.end()
            connections.hangUp()
            group.cancelAll()
        }
        for set in games.all {
            await services.places.unwatch(set.id)
            await services.folders.rest(set.id, set.place)
        }
        release()
        services.events.finish()
    }

    /// Releases all games and sessions, which refer to each other.
    private func release() {
        games.release()
        connections.release()
    }

    private func runPlaces() async {
        do {
            try await services.places.run()
        } catch {
            for set in games.all { set.tell(trouble: error) }
        }
    }

    private func watchSleep() async {
        // If the kernel has no watch left, connections that break and come back report the same.
        guard let watch = try? WakeWatch() else { return }
        while (try? await watch.next(on: Engine.loop)) != nil { connections.wake() }
    }

    // MARK: Reports

    /// The events of all games, for one reader. If none reads, the latest are lost.
    public var events: EventQueue<SaveSyncEvent> { services.events }

    /// Notes that other parts of the daemon have worked. Once all of it is idle, the memory of that work is given back.
    public func hasWorked() { services.trimmer.othersWorked() }

    /// The damage of the history that was found when it was opened.
    public var historyDamage: [any ExplainedError] {
        let (lost, incomplete) = (
            services.store.history.lostSnapshots.count, services.store.history.incompleteSnapshots.count
        )
        return (services.store.history.setAside.map { [SaveSyncError.historySetAside(at: $0)] } ?? [])
            + (lost > 0 ? [SaveSyncError.versionsLost(lost)] : [])
            + (incomplete > 0 ? [SaveSyncError.versionsIncomplete(incomplete)] : [])
    }

    /// The loops that wait for disks.
    package var diskLoops: [EventLoop] { [services.store.loop] + services.folders.loops }

    /// All versions of a game that are whole here.
    package func keptVersions(of set: SaveSetID) async throws -> Set<SnapshotID> {
        try await services.store.kept(of: set)
    }

    /// True if a version of a game is whole here.
    package func holds(_ snapshot: SnapshotID, of set: SaveSetID) -> Bool {
        games[set]?.machine.heads.held.contains(snapshot) == true
    }

    /// All games, by name.
    public func reports() -> [GameReport] {
        games.all.sorted { $0.entry.name < $1.entry.name }.map { $0.report(heldOff: connections.heldOff) }
    }

    /// The state of one game.
    public func report(of set: SaveSetID) throws(SaveSyncError) -> GameReport {
        try games.game(set).report(heldOff: connections.heldOff)
    }

    /// The game that a user means, by its name or its id.
    public func find(_ typed: String) throws(SaveSyncError) -> SaveSetID {
        let found = games.all.first { $0.entry.name.description == typed || $0.id.description == typed }
        guard let found else { throw .unknownSet(typed) }
        return found.id
    }

    // MARK: One game

    /// The versions of a game, for users to look at.
    public func versions(of set: SaveSetID) throws(SaveSyncError) -> VersionCatalog { try games.game(set).catalog }

    /// The changes that users make to the versions of a game.
    public func editor(of set: SaveSetID) throws(SaveSyncError) -> VersionEditor { try games.game(set).editor }

    /// The playing of a game on this machine.
    public func play(of set: SaveSetID) throws(SaveSyncError) -> LocalPlay { try games.game(set).play }
}
