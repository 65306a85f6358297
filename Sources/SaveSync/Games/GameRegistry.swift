import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// The games of this machine, each with its loop and the watch of its folder.
@Engine
final class GameRegistry {
    private let services: SaveServices
    private var games: [SaveSetID: SaveSetRunner] = [:]
    /// The tasks in which the games run.
    private var running: [SaveSetID: Task<Void, Never>] = [:]
    /// Held while games are joined, changed or left. Each of these checks the folders of all other games first, and
    /// waits for disks and the ledger after that: two at once could put two games into one folder.
    let changing = AsyncMutex()
    /// The games that are about to be shared, and the settings that are about to be adopted.
    var entering: [SaveSetID: SaveSetEntry] = [:]
    /// The pauses of all games.
    var pauses = SyncPauses()
    /// True if the run has ended, or is about to.
    private(set) var isEnding = false

    init(_ services: SaveServices) { self.services = services }

    var all: Dictionary<SaveSetID, SaveSetRunner>.Values { games.values }

    var ids: [SaveSetID] { Array(games.keys) }

    var count: Int { games.count }

    subscript(id: SaveSetID) -> SaveSetRunner? { games[id] }

    /// The game that a user means.
    func game(_ id: SaveSetID) throws(SaveSyncError) -> SaveSetRunner {
        guard let set = games[id] else { throw .unknownSet(id.description) }
        return set
    }

    // MARK: Beginning and ending

    /// Adds a game, and repairs in its folder what a crash interrupted.
    @discardableResult
    func add(_ entry: SaveSetEntry, _ known: SaveSetRecord, _ owner: any SaveSetOwner) async throws -> SaveSetRunner {
        // When the run ends, a game that is added now would not be released.
        guard !isEnding else { throw CancellationError() }
        let place = try services.places.place(of: entry)
        let set = SaveSetRunner(SaveSet(entry, at: place, known, services), owner)
        games[entry.id] = set
        set.handle(.life(.paused(pauses[entry.id])))
        if set.machine.problems.misplaced == nil { await set.open() }
        return set
    }

    /// Runs a game's loop, and watches its folder.
    func begin(_ set: SaveSetRunner) {
        services.tasks.add { [weak self] in
            guard let self else { return }
            // A change of its settings may be under way, which starts the watch as well.
            await set.work.alone { await self.watch(set) }
            await self.follow(set)
        }
    }

    private func follow(_ set: SaveSetRunner) async {
        let task = Task(executorPreference: Engine.loop.taskExecutor) { await set.run() }
        running[set.id] = task
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        running[set.id] = nil
    }

    /// Removes a game.
    func forget(_ set: SaveSetID) {
        games.removeValue(forKey: set)?.handle(.life(.leaves))
        services.folders.forget(set)
    }

    /// Ends the loop of a game and the watch of its folder.
    func stop(_ set: SaveSetRunner) async {
        await services.places.unwatch(set.id)
        let task = running[set.id]
        task?.cancel()
        await task?.value
    }

    /// Tells all games that the run ends.
    func end() {
        isEnding = true
        for set in games.values { set.handle(.life(.ends)) }
    }

    func release() { games = [:] }

    // MARK: Folders

    /// Watches the folder of a game, if the folder can be used.
    func watch(_ set: SaveSetRunner) async {
        guard set.machine.problems.misplaced == nil, set.machine.life != .left else { return }
        // An event that comes after the end of the game or the run is ignored.
        await services.places.watch(set.place, of: set.entry) { [weak self, id = set.id] event in
            Engine.loop.perform { @Sendable [weak self] in Engine.assumeIsolated { self?.hears(event, of: id) } }
        }
        // The user may have stopped sharing it meanwhile.
        if !set.machine.isShared { await services.places.unwatch(set.id) }
    }

    private func hears(_ event: PlaceEvent, of set: SaveSetID) {
        guard !isEnding else { return }
        games[set]?.hears(event)
    }

    /// The reason why a game can't be in its folder, if it is new there.
    func misplacement(ofNew entry: SaveSetEntry) async throws -> SaveSyncError? {
        // Games that are added later find this one.
        let others = (games.values.map(\.entry) + entering.values).filter { $0.id != entry.id }
        return try await services.placement.misplacement(
            of: entry,
            beside: others.map { ($0, games[$0.id]?.set.isDiskSilent == true) }
        )
    }

    // MARK: All games

    /// Runs work for each game at the same time. For a game whose disk gives no answer, this does not wait: the user
    /// hears of the disk elsewhere, and the work is done once the disk answers.
    func withEach(_ body: @escaping @Engine @Sendable (SaveSetRunner) async -> Void) async {
        await withDiscardingTaskGroup { group in
            for set in games.values {
                group.addTask {
                    _ = try? await set.set.whileDiskAnswers { if set.machine.isShared { await body(set) } }
                }
            }
        }
    }
}
