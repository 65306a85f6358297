public import LinuxPlatform
public import SaveRules
import Synchronization
public import Vocabulary

/// Watches the folders of all games with one inotify queue, and reports when each should be scanned.
///
/// ```swift
/// let watch = try SaveWatch()
/// await watch.add(folder) { event in … }
/// try await watch.run()
/// ```
///
/// Without events it does nothing. Before it reads a game's folder, another thread has had an answer from that disk, so
/// that a disk without an answer delays no other game. It may still wait briefly, so it has its own loop.
public actor SaveWatch {
    let loop: EventLoop
    let queue: Inotify
    var sets: [SaveSetID: WatchedSet] = [:]
    var roles: [Inotify.Watch: Set<WatchRole>] = [:]
    /// Number of wake-ups by the kernel.
    package private(set) var wakeCount = 0
    /// Reports mounts: a file system may restore a set's folder, cover it or remove it.
    private(set) var mounts: MountWatch?
    let lookAtRoot: @Sendable (String) -> MountedFolder?
    private let lookForWriters: @Sendable (SaveFolder) throws(SaveFolderError) -> Occupancy?
    private let watchMounts: MountWatchStart

    /// The executor of its loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter loop: a loop for blocking work
    public init(on loop: EventLoop = EventLoop(named: "saves")) throws(SaveFolderError) {
        try self.init(on: loop, lookingAtRoots: WatchedRoot.folder)
    }

    /// - Parameters:
    ///   - look: returns the folder at a path; may wait for a disk
    ///   - lookForWriters: returns programs that have a file of a game open; may wait for a disk
    ///   - watchMounts: begins to report mounts
    init(
        on loop: EventLoop,
        lookingAtRoots look: @escaping @Sendable (String) -> MountedFolder? = WatchedRoot.folder,
        forWriters lookForWriters: @escaping @Sendable (SaveFolder) throws(SaveFolderError) -> Occupancy? = {
            folder throws(SaveFolderError) in try folder.occupancy()
        },
        forMounts watchMounts: @escaping MountWatchStart = MountWatch.init(on:_:)
    ) throws(SaveFolderError) {
        (self.loop, lookAtRoot, self.lookForWriters, self.watchMounts) = (loop, look, lookForWriters, watchMounts)
        do throws(SystemError) { queue = try Inotify(on: loop) } catch { throw SaveFolderError.noQueue(error) }
    }

    /// Runs until the task is cancelled.
    public func run() async throws {
        while true {
            try await queue.wait()
            wakeCount += 1
            do throws(SystemError) { try catchUp() } catch {
                throw SaveFolderError(error, at: "the kernel's queue of changes")
            }
        }
    }

    /// Takes all events until now.
    private func catchUp() throws(SystemError) {
        if mounts?.takeChange() == true { mountsChanged() }
        do throws(SystemError) { take(try queue.takeAll()) } catch {
            for watched in sets.values { watched.folder.heard.note(nil) }
            throw error
        }
    }

    /// Watches a game's folder after its disk answers; this call does not wait for that. The game then counts as
    /// changed, as earlier changes are unknown.
    ///
    /// - Parameters:
    ///   - folder: the folder of the game
    ///   - patience: quiet period
    ///   - tellsOpening: true to report ``SaveWatchEvent/opened``
    ///   - tell: called on the watch's loop; it must not block
    public func add(
        _ folder: SaveFolder,
        patience: Settling.Patience = Settling.Patience(),
        tellsOpening: Bool = false,
        tell: @escaping @Sendable (SaveWatchEvent) -> Void
    ) {
        remove(folder.set)
        folder.heard.begin(on: loop) { [weak self] in
            self?.assumeIsolated { watch in (try? watch.catchUp()) != nil } ?? false
        }
        sets[folder.set] = WatchedSet(
            folder: folder,
            tell: tell,
            tellsOpening: tellsOpening,
            settling: Settling(patience: patience)
        )
        rearm(folder.set)
    }

    /// Stops watching a game.
    public func remove(_ set: SaveSetID) {
        guard let watched = sets.removeValue(forKey: set) else { return }
        watched.folder.heard.end()
        watched.timer?.scheduled.cancel()
        watched.again?.cancel()
        letGo(of: set, watched.watches)
        awaitMounts()
    }

    /// Reports the end of a scan that ``SaveWatchEvent/settled`` requested.
    ///
    /// - Parameter outcome: result of the scan
    /// - Returns: true if the kernel reported no change since ``SaveWatchEvent/settled``. It also reports changes that
    ///   a disk with coarse times can't show.
    @discardableResult
    public func finishedReading(_ set: SaveSetID, _ outcome: FolderReadOutcome) -> Bool {
        // Changes until now are in the queue, processed or not. An error of the queue is reported by run().
        try? catchUp()
        guard let state = sets[set]?.settling.state, state == .reading || state == .disturbed else {
            if outcome == .whole { wasReadUnasked(set) }
            return true
        }
        let isStill = state == .reading && sets[set]?.errand.isDeaf != true
        let now = ContinuousClock.now
        act(on: set) { settling in
            (outcome == .stirred ? settling.changed(at: now) : []) + settling.read()
        }
        tellUnsettled(set)
        if outcome == .whole, isStill { sets[set]?.place.wasRead() }
        return isStill
    }

    /// Handles a scan without a request. It may have read a folder that an unmounted file system uncovered as the
    /// game's.
    private func wasReadUnasked(_ set: SaveSetID) {
        guard let watched = sets[set], watched.place.isThere == false, watched.place.bareDevice != nil else { return }
        sets[set]?.place.bareDevice = nil
        rearm(set)
    }

    /// Requests a scan, changed or not. A program that has a file of the game open is reported, even a second time.
    public func readAgain(_ set: SaveSetID) {
        sets[set]?.unrest.forgetWriters()
        changed([set])
    }

    // MARK: Quiet period

    func changed(_ changed: Set<SaveSetID>) {
        let now = ContinuousClock.now
        for set in changed where sets[set]?.place.isThere == true { act(on: set) { $0.changed(at: now) } }
    }

    func act(on set: SaveSetID, _ step: (inout Settling) -> [Settling.Action]) {
        guard var actions = sets[set].map({ _ in [Settling.Action]() }) else { return }
        if var settling = sets[set]?.settling {
            actions = step(&settling)
            sets[set]?.settling = settling
        }
        for action in actions { perform(action, set) }
        awaitDeadline(of: set)
    }

    private func perform(_ action: Settling.Action, _ set: SaveSetID) {
        guard let watched = sets[set] else { return }
        switch action {
        case .read: watched.tell(.settled)
        case .tellUnsettled(let time):
            sets[set]?.unrest.time = time
            // A program that writes repeatedly is not awaited until it is quiet: it may be a game.
            let isWriting = watched.settling.state == .stirring && !watched.unrest.hasReportedWriters
            if watched.place.isThere == true, watched.check == .done, isWriting {
                check(set)
            } else {
                tellUnsettled(set)
            }
        case .tellSettled:
            sets[set]?.unrest.end()
            if watched.unrest.hasReported { watched.tell(.settledAfterAll) }
        case .check: check(set)
        }
    }

    /// Checks the disk on another thread: a disk that does not answer must not delay the other games.
    private func check(_ set: SaveSetID) {
        guard let watched = sets[set] else { return }
        guard watched.check == .done else {
            sets[set]?.check = .wantedAgain
            return
        }
        sets[set]?.check = .underWay
        let folder = watched.folder
        loop.ask("saves") { [lookForWriters] in
            Result { () throws(SaveFolderError) in try lookForWriters(folder) }
        } then: { [weak self] found in
            await self?.checked(set, folder, found)
        }
    }

    private func checked(_ set: SaveSetID, _ folder: SaveFolder, _ found: Result<Occupancy?, SaveFolderError>) {
        guard let watched = sets[set], watched.folder === folder else { return }
        sets[set]?.check = .done
        let isAsked = watched.settling.state == .checking
        guard !isAsked || watched.check == .wantedAgain else {
            conclude(set, watched, found)
            return tellUnsettled(set)
        }
        // An outdated result of the search may still explain why the folder does not become quiet.
        if isAsked || watched.settling.state == .stirring, watched.unrest.time != nil,
            case .success(.occupied(let writers)?) = found
        {
            tell(writers, of: set)
        }
        tellUnsettled(set)
        if isAsked { check(set) }
    }

    private func conclude(_ set: SaveSetID, _ watched: WatchedSet, _ found: Result<Occupancy?, SaveFolderError>) {
        do throws(SaveFolderError) {
            guard let occupancy = try found.get() else {
                // This program changes it now, and scans it afterwards.
                act(on: set) { $0.checked(isOccupied: true) }
                return lookAgain(set, after: watched.unrest.pause)
            }
            if case .occupied(let writers) = occupancy {
                tell(writers, of: set)
                act(on: set) { $0.checked(isOccupied: true) }
                return lookAgain(set, after: watched.unrest.pause)
            }
        } catch {
            // A scan finds the same error.
            watched.tell(.trouble(error))
        }
        sets[set]?.unrest.forgetWriters()
        act(on: set) { $0.checked(isOccupied: false) }
    }

    private func tell(_ writers: [FileWriter], of set: SaveSetID) {
        guard let watched = sets[set], !watched.unrest.hasReportedWriters else { return }
        sets[set]?.unrest.tellWriters()
        watched.tell(.occupied(writers))
    }

    /// Reports that the folder does not become quiet, after its writers are known. A folder that is being read may be
    /// quiet, and a missing one, or one without an answer, has another report.
    private func tellUnsettled(_ set: SaveSetID) {
        guard let watched = sets[set], let time = watched.unrest.time, watched.place.isThere == true,
            watched.check == .done,
            watched.settling.state != .reading
        else { return }
        sets[set]?.unrest.tell()
        watched.tell(.unsettled(time))
    }

    private func lookAgain(_ set: SaveSetID, after pause: Duration) {
        again(set, after: pause) { watch in
            // This replaces another attempt to watch it.
            if watch.sets[set]?.isUnwatched == true { return watch.rearm(set) }
            if watch.sets[set]?.settling.state == .occupied { watch.changed([set]) }
        }
    }

    /// Repeats work after a growing pause.
    private func again(
        _ set: SaveSetID,
        after pause: Duration,
        _ body: @escaping @Sendable (isolated SaveWatch) -> Void
    ) {
        sets[set]?.again?.cancel()
        sets[set]?.unrest.pauseLonger(than: pause)
        sets[set]?.again = loop.schedule(after: pause) { @Sendable [weak self] in self?.assumeIsolated(body) }
    }

    /// A deadline that moves is checked at its old time, so that a program that writes often needs no timer for each
    /// write.
    private func awaitDeadline(of set: SaveSetID) {
        guard let watched = sets[set], let deadline = watched.settling.deadline else { return }
        if let timer = watched.timer, timer.deadline <= deadline { return }
        watched.timer?.scheduled.cancel()
        let timer = loop.schedule(at: deadline) { @Sendable [weak self] in
            self?.assumeIsolated { $0.deadlinePassed(set) }
        }
        sets[set]?.timer = (deadline, timer)
    }

    private func deadlinePassed(_ set: SaveSetID) {
        sets[set]?.timer = nil
        act(on: set) { $0.deadlinePassed(at: .now) }
    }

    // MARK: Mounts

    /// Watches mounts while there is any game.
    func awaitMounts() {
        if sets.isEmpty { mounts = nil }
        guard !sets.isEmpty, mounts == nil else { return }
        mounts = try? watchMounts(loop) { @Sendable [weak self] in self?.assumeIsolated { $0.mountsChanged() } }
        // Mounts may have changed before the watch.
        if mounts != nil { mountsChanged() }
    }

    /// Checks all roots. A covered folder has no events, and neither has a removed one while a program uses it.
    private func mountsChanged() {
        for (set, watched) in sets {
            watched.folder.heard.note(nil)
            look(at: set, isOutOfDate: true) { $0.isComparing = true }
        }
    }

    func retry(_ set: SaveSetID, after pause: Duration) {
        again(set, after: pause) { $0.rearm(set) }
    }
}
