import Digests
import History
package import Ledger
public import LinuxPlatform
package import SaveRules
public import Session
import SessionRules
public import Vocabulary

/// Keeps save sets: every version of them on this machine, and the newest on all machines that have part in them.
///
/// Open it beside a node, keep ``run()`` going, and read ``news``. It dials peers that sets are shared with (``sees(_:)``), and
/// takes the sessions that they open (``take(_:from:)``).
@Engine
public final class SaveKeeper {
    /// What happens, for one reader. Where nobody reads, the latest is lost.
    public let news = EventQueue<SaveNews>()

    let services: SaveServices
    private(set) var sets: [SaveSetID: SaveSetRunner] = [:]
    private(set) lazy var connections = PeerConnections(services, self)
    private(set) lazy var household = HouseholdExchange(services, connections)
    private(set) lazy var pausing = Pausing(self)
    /// Held while settings are changed, so that they change one after the other.
    let changing = AsyncMutex()
    /// Games that are about to be shared, and are not yet.
    var entering: [SaveSetID: SaveSetEntry] = [:]
    private var following: [SaveSetID: Task<Void, Never>] = [:]

    /// True if the run has ended, or is about to.
    private(set) var isEnding = false

    /// Opens the history, and all sets that the node's ledger knows.
    /// - Parameter places: the folders of this machine
    public static func open(
        _ configuration: SaveConfiguration,
        beside node: Node,
        places: any SavePlaces
    ) async throws -> SaveKeeper {
        try await open(configuration, beside: node, node.ledger, places: places)
    }

    package static func open(
        _ configuration: SaveConfiguration,
        beside node: any SaveNetwork,
        _ ledger: Ledger,
        places: any SavePlaces
    ) async throws -> SaveKeeper {
        let store = try await PieceService.open(
            at: configuration.history,
            by: configuration.storeCalls,
            beside: ledger
        )
        let keeper = SaveKeeper(configuration, node, ledger, store, places)
        do {
            try await keeper.load()
            for peer in Set(keeper.sets.values.flatMap(\.machine.peers.allowed)) {
                await keeper.services.rights.lookUp(peer)
            }
        } catch {
            keeper.letGo()
            throw error
        }
        return keeper
    }

    private init(
        _ configuration: SaveConfiguration,
        _ node: any SaveNetwork,
        _ ledger: Ledger,
        _ store: PieceService,
        _ places: any SavePlaces
    ) {
        services = SaveServices(configuration, node, ledger, store, places, news)
    }

    /// Watches, reads, exchanges and applies until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.services.crew.run() }
            group.addTask { await self.runPlaces() }
            group.addTask { await self.watchSleep() }
            for set in sets.values { begin(set) }
            // After the start, which must not read all of them.
            for set in sets.keys { services.crew.add { try? await self.services.store.keepRecordsAgain(of: set) } }
            connections.wake()
            // A start takes much memory by itself.
            services.trimmer.worked()
            services.node.whenFound = { [weak self] peer in self?.sees(peer) }
            services.node.whenRightsChange = { [weak self] peer in self?.looksAgain(at: peer) }
            services.node.whenAnyRightsChange = { [weak self] in self?.looksAgainAtSharers() }
            // A machine may have been paired just before the daemon was killed.
            services.crew.add { await self.offerHouseholdGames() }
            services.crew.add { await self.household.begin() }
            pausing.setTimer()
            // Some may be where they were last, seen or not.
            for peer in Set(sets.values.flatMap(\.machine.partners)) { sees(peer) }
            let never = Resumption<Void>()
            // It ends when the task is cancelled, and only then.
            try? await never.valueUnlessCancelled()
            isEnding = true
            for set in sets.values { set.handle(.life(.ends)) }
            services.trimmer.end()
            connections.hangUp()
            group.cancelAll()
        }
        for set in sets.values {
            await services.places.unwatch(set.id)
            await services.folders.rest(set.id, set.place)
        }
        letGo()
        news.finish()
    }

    /// Of all that holds this.
    private func letGo() {
        sets = [:]
        connections.release()
    }

    private func runPlaces() async {
        do {
            try await services.places.run()
        } catch {
            for set in sets.values { set.tell(trouble: error) }
        }
    }

    private func watchSleep() async {
        // Where the kernel has no watch left, a connection that was there before tells the same.
        guard let watch = try? WakeWatch() else { return }
        while (try? await watch.next(on: Engine.loop)) != nil { connections.wake() }
    }

    /// Others in this program had something to do. Once there is nothing to do, what all of it has taken is given back.
    public func hasWorked() { services.trimmer.othersWorked() }

    /// What was found wrong with the history when it was opened.
    public var historyDamage: [any ExplainedError] {
        let (lost, lacking) = (
            services.store.history.lostSnapshots.count, services.store.history.lackingSnapshots.count
        )
        return (services.store.history.setAside.map { [SaveSyncError.historySetAside(at: $0)] } ?? [])
            + (lost > 0 ? [SaveSyncError.versionsLost(lost)] : [])
            + (lacking > 0 ? [SaveSyncError.versionsLacking(lacking)] : [])
    }

    /// Where it waits for disks.
    package var diskLoops: [EventLoop] { [services.store.loop] + services.folders.loops }

    /// All versions of a set that are whole here.
    package func keptVersions(of set: SaveSetID) async throws -> Set<SnapshotID> {
        try await services.store.kept(of: set)
    }

    /// Whether a version of a set is whole here.
    package func holds(_ snapshot: SnapshotID, of set: SaveSetID) -> Bool {
        sets[set]?.machine.heads.held.contains(snapshot) == true
    }

    // MARK: Sets

    /// A set is here from now on.
    @discardableResult
    func add(
        _ entry: SaveSetEntry,
        _ known: SaveSetRecord
    ) async throws -> SaveSetRunner {
        // Nobody would let go of it.
        guard !isEnding else { throw CancellationError() }
        let place = try services.places.place(of: entry)
        let set = SaveSetRunner(SaveSet(entry, at: place, known, services), self)
        sets[entry.id] = set
        set.handle(.life(.paused(pausing.pauses[entry.id])))
        if set.machine.problems.misplaced == nil { await open(set) }
        return set
    }

    /// Ends what a crash interrupted in a set's folder, and goes on fetching.
    func open(_ set: SaveSetRunner) async {
        await recover(set)
        await set.fetcher.resumeFetching()
    }

    /// Ends what a crash interrupted in a set's folder.
    func recover(_ set: SaveSetRunner) async {
        do {
            _ = try await set.set.atWorker { try await $0.recover(set.place) }
        } catch {
            // A folder that is not there, or can't be changed now, keeps no other set from its peers.
            set.tell(trouble: error, in: .scanning)
        }
    }

    /// Lets a set's worker run, and watches its folder.
    func begin(_ set: SaveSetRunner) {
        services.crew.add { [weak self] in
            guard let self else { return }
            // Its settings may be changing, which begins to watch it as well.
            await set.work.alone { await self.watch(set) }
            await self.follow(set)
        }
    }

    /// Watches a set's folder, if it can be used.
    func watch(_ set: SaveSetRunner) async {
        guard set.machine.problems.misplaced == nil, set.machine.life != .left else { return }
        // What comes too late, of a set or a program that has ended, is not heard.
        await services.places.watch(set.place, of: set.entry) { [weak self, id = set.id] event in
            Engine.loop.perform { @Sendable [weak self] in Engine.assumeIsolated { self?.hears(event, of: id) } }
        }
        // This machine may have left it meanwhile.
        if !set.machine.isShared { await services.places.unwatch(set.id) }
    }

    private func hears(_ event: PlaceEvent, of set: SaveSetID) {
        guard !isEnding else { return }
        sets[set]?.hears(event)
    }

    private func follow(_ set: SaveSetRunner) async {
        let task = Task(executorPreference: Engine.loop.taskExecutor) { await set.run() }
        following[set.id] = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        following[set.id] = nil
    }

    func forget(_ set: SaveSetID) {
        sets.removeValue(forKey: set)?.handle(.life(.leaves))
        services.folders.forget(set)
    }

    /// Ends a set's worker and its watch.
    func stop(_ set: SaveSetRunner) async {
        await services.places.unwatch(set.id)
        let task = following[set.id]
        task?.cancel()
        await task?.value
    }

    /// Does something with a set while nothing else is done to its folder, with the settings that it has by then.
    func alone<Value>(_ id: SaveSetID, _ body: @Engine (SaveSetRunner) async throws -> Value) async throws -> Value {
        let set = try set(id)
        return try await set.work.alone {
            // This machine may have left it meanwhile.
            guard set.machine.isShared else { throw SaveSyncError.unknownSet(id.description) }
            return try await body(set)
        }
    }

    /// The set that a person means.
    func set(_ id: SaveSetID) throws(SaveSyncError) -> SaveSetRunner {
        guard let set = sets[id] else { throw .unknownSet(id.description) }
        return set
    }
}
