import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// One game on this machine: its settings, its folder, its state, and the sessions with machines that share it. It
/// exists as long as the game is shared.
///
/// ``SaveSetMachine`` decides. Each event goes to ``handle(_:)``; the runner carries out the effects.
@Engine final class SaveSet {
    nonisolated let id: SaveSetID
    private(set) var entry: SaveSetEntry
    private(set) var place: any SavePlace
    let services: SaveServices
    /// The state of the game. Each change wakes the calls that wait for one.
    private(set) var machine: SaveSetMachine {
        didSet {
            timer.set(for: self, at: machine.deadline) { $0.deadlinePassed() }
            changed.wake()
            whenChanged()
        }
    }
    /// The next deadline of ``machine``.
    private var timer = DeadlineTimer()
    /// Calls that wait for a change of ``machine``.
    private let changed = Waiters()
    /// Carries out effects in order.
    var carryOut: @Engine ([SaveSetEffect]) -> Void = { _ in }
    /// Runs when the status of the game may have changed.
    var whenChanged: @Engine () -> Void = {}
    /// The sessions with the machines that share the game and are online.
    var sessions: [PeerID: SavePeer] = [:] { didSet { whenChanged() } }
    /// Held for each step that changes the folder or the versions.
    let work = AsyncMutex()
    /// Ends the calls that wait for the disk, once it is known to give no answer.
    private var silenceWaits: [ObjectIdentifier: (any Error) -> Void] = [:]
    /// Files in the folder that can't be part of a version.
    var leftOut = LeftOutFiles()

    /// The error after this machine has stopped sharing the game. Its versions no longer change then.
    struct Left: Error {}

    init(_ entry: SaveSetEntry, at place: any SavePlace, _ known: SaveSetRecord, _ services: SaveServices) {
        (id, self.entry, self.place, self.services) = (entry.id, entry, place, services)
        let games = Int(RandomNumbers.next() >> 16)
        let play = PlayTracker(services.node.id, patience: services.patience, after: games)
        machine = SaveSetMachine(entry.id, known, play: play)
    }

    /// Passes an event to the machine, and carries out what follows.
    func handle(_ event: SaveSetEvent) { carryOut(decide(event)) }

    /// Has the machine decide about an event. The caller carries out the effects.
    func decide(_ event: SaveSetEvent) -> [SaveSetEffect] {
        let effects = machine.handle(event, at: .current)
        StepTrace.observe?(event, machine, effects)
        return effects
    }

    private func deadlinePassed() {
        timer.passed()
        handle(.deadline)
    }

    /// Changes the machine by one of its methods that return a value.
    func update<Answer>(_ change: (inout SaveSetMachine) -> Answer) -> Answer { change(&machine) }

    /// Adopts settings that the ledger has stored.
    func adopted(_ settings: SaveSetEntry, at place: (any SavePlace)? = nil) {
        entry = settings
        if let place { self.place = place }
    }

    func tell(_ change: SaveSyncEvent.Change) {
        services.tell(SaveSyncEvent(set: id, name: entry.name, change: change))
    }

    /// Writes a decision to the audit log.
    func note(_ word: String, about peer: PeerID? = nil, _ details: [AuditEntry.Detail] = []) {
        services.node.audit(word, about: peer, [.init("set", entry.name.description)] + details)
    }

    /// Tells the user of an error.
    /// - Parameter matter: the matter that has a problem until it is solved; nil if the user hears of the error each
    ///   time
    func tell(trouble error: any Error, in matter: SetProblems.Matter? = nil) {
        guard let error = error as? any ExplainedError else { return }
        guard let matter else { return tell(.trouble(error)) }
        handle(.folder(.problem(error, of: matter, telling: true)))
    }

    /// The error for calls that come after this machine has stopped sharing the game.
    var unknown: SaveSyncError { .unknownSet(id.description) }

    // MARK: Waiting

    /// Runs work while no other work on the folder runs.
    /// - Throws: ``SaveSyncError`` if this machine has stopped sharing the game by then
    func alone<Value>(_ body: @Engine () async throws -> Value) async throws -> Value {
        try await work.alone {
            guard machine.isShared else { throw unknown }
            return try await body()
        }
    }

    /// Waits until the game is in a certain state, or is no longer shared.
    /// - Throws: `CancellationError`
    func wait(until isReached: @Engine (SaveSetMachine) -> Bool) async throws {
        while machine.life != .left, !isReached(machine) { try await changed.wait() }
    }

    /// Changes settings while no work on the folder runs and no game begins.
    func whileChanging<Value>(_ body: @Engine () async throws -> Value) async throws -> Value {
        try await work.alone {
            guard machine.life == .open else { throw Left() }
            handle(.life(.changes))
            defer { handle(.life(.changed)) }
            return try await body()
        }
    }

    /// Throws an error if the disk gives no answer. Work that waits for such a disk can't be ended. A call that waits
    /// for that work would hold up the settings of all games.
    func requireDisk() async throws {
        if let silent = machine.problems[.disk] { throw silent.error }
        guard machine.problems.misplaced == nil else { return }
        // If no work has asked the disk since it hangs, that is not known yet.
        guard try await services.placement.answer(entry) != nil else { throw SaveSyncError.silentDisk(under: entry) }
        // The answer may come from a cache, while a step in the folder still hangs.
        try await whileDiskAnswers { await self.work.alone {} }
        guard machine.isShared else { throw unknown }
    }

    /// True if its disk gives no answer now.
    var isDiskSilent: Bool {
        (machine.problems.misplaced ?? machine.problems[.disk]?.error)?.code == SaveSyncError.silentDiskCode
    }

    /// Tells the user, and the calls that wait for the disk, that it gives no answer.
    private func diskIsSilent(_ error: SaveSyncError) {
        tell(trouble: error, in: .disk)
        for tell in silenceWaits.values { tell(error) }
    }

    /// Runs work that may wait for the disk. Once the disk is known to give no answer, the caller continues with an
    /// error. The work itself ends when the disk answers.
    /// - Throws: the error of the body, or of the disk
    func whileDiskAnswers<Value: Sendable>(_ body: @escaping @Engine @Sendable () async throws -> Value) async throws
        -> Value
    {
        let outcome = Resumption<Value>()
        let isBegun = services.tasks.add {
            do { outcome.resume(with: .success(try await body())) } catch { outcome.resume(with: .failure(error)) }
        }
        guard isBegun else { throw CancellationError() }
        if let silent = machine.problems[.disk] { throw silent.error }
        let wait = ObjectIdentifier(outcome)
        silenceWaits[wait] = { outcome.resume(with: .failure($0)) }
        defer { silenceWaits[wait] = nil }
        return try await outcome.valueUnlessCancelled()
    }

    /// Works on the folder or the history. Tells the user if the disk gives no answer.
    func atWorker<Value: Sendable>(
        on disk: FolderScheduler.Disk = .folder,
        _ work: @Engine (FolderWorker) async throws -> Value
    )
        async rethrows -> Value
    {
        try await services.folders.work(
            on: id,
            waitingFor: disk,
            telling: { [weak self] disk in
                guard let self else { return }
                switch disk {
                case .folder: diskIsSilent(SaveSyncError.silentDisk(under: entry))
                case .history: diskIsSilent(SaveSyncError.silentHistory(at: services.store.path))
                case nil: handle(.folder(.solved(.disk)))
                }
            },
            work
        )
    }
}

/// The engine, as one game knows it.
@Engine protocol SaveSetOwner: AnyObject {
    /// The number of games that are shared here.
    var setCount: Int { get }
    /// Offers a game to a machine that may have it.
    func offer(_ set: SaveSet, to peer: SavePeer)
    /// Returns the number of bytes of a machine's messages about a game that may stay in memory.
    func room(for peer: PeerID, in set: SaveSetID) -> Int
    /// True if the user of a machine has paused a game there.
    func isPaused(_ set: SaveSetID, by peer: PeerID) -> Bool
    /// Notes that a machine has come or gone.
    func noteArrival()
    /// Notes that the status of a game may have changed.
    func noteChange(of set: SaveSetID)
}
