import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// Runs one game: carries out the effects of ``SaveSetMachine``, and takes the steps of the folder's worker one after
/// the other.
@Engine
final class SaveSetRunner {
    let set: SaveSet
    let versions: VersionLog
    let pruner: VersionPruner
    let steps: FolderSteps
    let fetcher: VersionFetcher
    let repair: VersionRepair
    let exchange: GameExchange
    let play: LocalPlay
    let program: GameProgram
    let catalog: VersionCatalog
    let editor: VersionEditor
    /// The wait of the worker while it has nothing to do.
    let worker = Waiters()

    init(_ set: SaveSet, _ owner: any SaveSetOwner) {
        (self.set, program) = (set, GameProgram(set))
        versions = VersionLog(set)
        pruner = VersionPruner(set, versions, owner)
        steps = FolderSteps(set, versions, pruner, program)
        fetcher = VersionFetcher(set, versions, pruner)
        repair = VersionRepair(set, versions, steps, fetcher)
        exchange = GameExchange(set, versions, fetcher, program, owner)
        play = LocalPlay(set, program, steps)
        catalog = VersionCatalog(set)
        editor = VersionEditor(set, versions, steps)
        set.carryOut = { [weak self] effects in self?.perform(effects) }
        set.whenChanged = { [weak owner, id = set.id] in owner?.noteChange(of: id) }
        program.readLast = { [weak self] in try await self?.steps.readLast() }
    }

    nonisolated var id: SaveSetID { self.set.id }
    var entry: SaveSetEntry { self.set.entry }
    var place: any SavePlace { self.set.place }
    var machine: SaveSetMachine { self.set.machine }
    var sessions: [PeerID: SavePeer] { self.set.sessions }
    var work: AsyncMutex { self.set.work }

    func handle(_ event: SaveSetEvent) { set.handle(event) }

    func tell(_ change: SaveSyncEvent.Change) { set.tell(change) }

    func tell(trouble error: any Error, in matter: SetProblems.Matter? = nil) { set.tell(trouble: error, in: matter) }

    func note(_ word: String, _ details: [AuditEntry.Detail] = []) { set.note(word, details) }

    /// Repairs in the folder what a crash interrupted, and continues downloads.
    func open() async {
        await recover()
        await fetcher.resumeFetching()
    }

    /// Repairs in the folder what a crash interrupted.
    func recover() async {
        do {
            _ = try await set.atWorker { try await $0.recover(place) }
        } catch {
            // A folder that is missing, or can't be changed now, keeps no other game from syncing.
            tell(trouble: error, in: .scanning)
        }
    }

    /// Takes one step after the other until the task is cancelled.
    func run() async {
        await versions.resume()
        while !Task.isCancelled {
            set.handle(.folder(.wakes))
            if await set.work.alone(step) { continue }
            set.handle(.folder(.rests))
            set.services.trimmer.worked()
            try? await worker.wait()
        }
    }

    /// Takes a step. Returns false if there was none.
    private func step() async -> Bool {
        guard let step = set.update({ $0.nextStep() }) else { return false }
        switch step {
        case .scan(let order): await steps.readFolder(order)
        case .merge(let one, let other): await steps.merge(one, other)
        case .apply(let version): await steps.show(version)
        }
        return true
    }

    /// Handles an event of the watched folder.
    func hears(_ event: PlaceEvent) {
        switch event {
        case .changing: set.handle(.watch(.changing))
        case .settled: set.handle(.watch(.settled))
        case .occupied(let program): set.handle(.watch(.occupied(by: program)))
        case .unsettled(let time): set.handle(.watch(.unsettled(SaveSyncError.unsettled(set.entry, time))))
        case .opened: program.fileOpened()
        case .gone: set.handle(.watch(.gone(SaveSyncError.folderAway(set.entry))))
        case .back: set.handle(.watch(.back))
        case .unwatched(let error): set.handle(.watch(.unwatched(error)))
        case .watched: set.handle(.watch(.watched))
        case .trouble(let error): set.handle(.watch(.trouble(error)))
        }
    }

    /// Forgets what is known of the folder, as after a start.
    func resetFolder(_ misplaced: (any ExplainedError)?) {
        set.leftOut = LeftOutFiles()
        set.handle(.life(.folderChanged(misplaced: misplaced)))
        if misplaced != nil { set.sessions = [:] }
    }

    /// Ends the work of a game that this machine has stopped sharing: no call waits for it, and its downloads end.
    func isLeft() async {
        set.handle(.life(.left))
        set.sessions = [:]
        play.settleTaking(.failure(SaveSyncError.unknownSet(set.entry.name.description)))
        for version in set.update({ $0.cancelDownloads() }) { try? await set.services.store.giveUp(version) }
        try? await set.services.store.giveUp(allOf: set.id)
    }
}
