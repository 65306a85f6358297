public import LinuxPlatform
public import SaveRules
import Synchronization
public import Vocabulary

/// Watches the folders of all sets with one queue of the kernel's, and says when each is to be read.
///
/// ```swift
/// let watch = try SaveWatch()
/// await watch.add(folder) { event in … }
/// try await watch.run()
/// ```
///
/// While nothing happens it does nothing. It looks at folders itself, which may wait for a disk, so it has a loop of its own.
public actor SaveWatch {
    private let loop: EventLoop
    let queue: Inotify
    var sets: [SaveSetID: WatchedSet] = [:]
    var roles: [Inotify.Watch: Set<WatchRole>] = [:]
    /// How often the kernel had something to tell.
    package private(set) var wakeCount = 0
    /// A file system may bring back a set's folder, cover it or take it away.
    private var mounts: MountWatch?
    private let lookAtRoot: @Sendable (String) -> MountedFolder?
    private let lookForWriters: @Sendable (SaveFolder) throws(SaveFolderError) -> Occupancy?

    /// Runs on the loop.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    /// - Parameter loop: one on which nobody minds waiting
    public init(on loop: EventLoop = EventLoop(named: "saves")) throws(SaveFolderError) {
        try self.init(on: loop, lookingAtRoots: Self.mountedRoot)
    }

    /// - Parameters:
    ///   - look: says what lies where a path leads; may wait for a disk
    ///   - lookForWriters: says who has a file of a set open; may wait for a disk
    init(
        on loop: EventLoop,
        lookingAtRoots look: @escaping @Sendable (String) -> MountedFolder? = SaveWatch.mountedRoot,
        forWriters lookForWriters: @escaping @Sendable (SaveFolder) throws(SaveFolderError) -> Occupancy? = {
            folder throws(SaveFolderError) in try folder.occupancy()
        }
    ) throws(SaveFolderError) {
        (self.loop, lookAtRoot, self.lookForWriters) = (loop, look, lookForWriters)
        do throws(SystemError) { queue = try Inotify(on: loop) } catch { throw SaveFolderError.noQueue(error) }
    }

    /// Works until the task is cancelled.
    public func run() async throws {
        while true {
            try await queue.wait()
            wakeCount += 1
            let events: [Inotify.Event]
            do throws(SystemError) { events = try queue.takeAll() } catch {
                throw SaveFolderError(error, at: "the kernel's queue of changes")
            }
            take(events)
        }
    }

    /// Watches a set's folder from now on. It counts as changed, because nobody knows what happened before.
    ///
    /// - Parameters:
    ///   - folder: the set's
    ///   - patience: how long it has to be quiet
    ///   - tellsOpening: whether ``SaveWatchEvent/opened`` is to be told
    ///   - tell: called on the watch's loop; it must not wait
    public func add(
        _ folder: SaveFolder,
        patience: Settling.Patience = Settling.Patience(),
        tellsOpening: Bool = false,
        tell: @escaping @Sendable (SaveWatchEvent) -> Void
    ) {
        remove(folder.set)
        sets[folder.set] = WatchedSet(
            folder: folder,
            tell: tell,
            tellsOpening: tellsOpening,
            settling: Settling(patience: patience)
        )
        arm(folder.set)
    }

    /// Watches a set no longer.
    public func remove(_ set: SaveSetID) {
        guard let watched = sets.removeValue(forKey: set) else { return }
        watched.timer?.scheduled.cancel()
        watched.again?.cancel()
        letGo(of: set, watched.watches)
        awaitMounts()
    }

    /// The folder was read, as ``SaveWatchEvent/settled`` asked for.
    ///
    /// - Parameter outcome: what came of it
    /// - Returns: whether the kernel has heard of no change since ``SaveWatchEvent/settled``. It hears also of those that a disk with coarse
    ///   times can't show.
    @discardableResult
    public func finishedReading(_ set: SaveSetID, _ outcome: FolderReadOutcome) -> Bool {
        // What happened until now is in the queue, whether or not it was taken yet. What can't be taken is told by running.
        if let events = try? queue.takeAll() { take(events) }
        guard let state = sets[set]?.settling.state, state == .reading || state == .disturbed else {
            if outcome == .whole { wasReadUnasked(set) }
            return true
        }
        let now = ContinuousClock.now
        act(on: set) { settling in
            (outcome == .stirred ? settling.changed(at: now) : []) + settling.read()
        }
        if outcome == .whole, state == .reading, let root = sets[set]?.root {
            sets[set]?.readRoots.insert(root.identity)
        }
        return state == .reading
    }

    /// What lies in the place of a file system that was taken away may have been read as the set's after all.
    private func wasReadUnasked(_ set: SaveSetID) {
        guard let watched = sets[set], watched.isThere == false, watched.bareDevice != nil else { return }
        sets[set]?.bareDevice = nil
        arm(set)
    }

    /// Has a set read, whether it has changed or not. Where somebody has a file of it open, that is told, also where it was told before.
    public func readAnew(_ set: SaveSetID) {
        sets[set]?.forgetWriters()
        changed([set])
    }

    // MARK: Settling

    func changed(_ changed: Set<SaveSetID>) {
        let now = ContinuousClock.now
        for set in changed where sets[set]?.isThere == true { act(on: set) { $0.changed(at: now) } }
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
            // What is not there, or gives no answer, is told of otherwise.
            guard watched.isThere == true else { return }
            guard watched.check == .done else {
                sets[set]?.unsettled = time
                return
            }
            if watched.settling.state == .stirring { tellWriters(set, watched) }
            watched.tell(.unsettled(time))
        case .tellSettled: watched.tell(.settledAfterAll)
        case .check: check(set, watched)
        }
    }

    /// Looks at the disk beside the loop: one that gives no answer must not hold up the other sets.
    private func check(_ set: SaveSetID, _ watched: WatchedSet) {
        guard watched.check == .done else {
            sets[set]?.check = .wantedAgain
            return
        }
        sets[set]?.check = .underWay
        let folder = watched.folder
        // On Swift's own threads it would leave one behind that wakes every second.
        Task(executorPreference: loop.taskExecutor) { [weak self, lookForWriters] in
            let found = try? await runBlocking("saves") {
                Result { () throws(SaveFolderError) in try lookForWriters(folder) }
            }
            // Where there is no thread to be had, this one waits for the disk.
            await self?.checked(
                set,
                folder,
                found ?? Result { () throws(SaveFolderError) in try lookForWriters(folder) }
            )
        }
    }

    private func checked(_ set: SaveSetID, _ folder: SaveFolder, _ found: Result<Occupancy?, SaveFolderError>) {
        guard let watched = sets[set], watched.folder === folder else { return }
        sets[set]?.check = .done
        sets[set]?.unsettled = nil
        defer {
            if let time = watched.unsettled, let now = sets[set], now.isThere == true, now.settling.state != .reading {
                watched.tell(.unsettled(time))
            }
        }
        // What was found before more has changed is not true any more.
        guard watched.check != .wantedAgain else {
            if watched.settling.state == .checking, let now = sets[set] { check(set, now) }
            return
        }
        guard watched.settling.state == .checking else { return }
        do throws(SaveFolderError) {
            guard let occupancy = try found.get() else {
                // What changes it now is this program, which reads it afterwards.
                act(on: set) { $0.checked(isOccupied: true) }
                return lookAgain(set, after: watched.pause)
            }
            if case .occupied(let writers) = occupancy {
                if !watched.hasToldWriters { watched.tell(.occupied(writers)) }
                sets[set]?.hasToldWriters = true
                act(on: set) { $0.checked(isOccupied: true) }
                lookAgain(set, after: watched.pause)
                return
            }
        } catch {
            // Whoever reads it now finds the same.
            watched.tell(.trouble(error))
        }
        sets[set]?.forgetWriters()
        act(on: set) { $0.checked(isOccupied: false) }
    }

    /// Who writes again and again is not waited for until it is quiet: it may be a game.
    private func tellWriters(_ set: SaveSetID, _ watched: WatchedSet) {
        guard !watched.hasToldWriters, case .occupied(let writers)? = try? watched.folder.occupancy() else { return }
        watched.tell(.occupied(writers))
        sets[set]?.hasToldWriters = true
    }

    private func lookAgain(_ set: SaveSetID, after pause: Duration) {
        again(set, after: pause) { watch in
            // This has taken the place of another try to watch it.
            if watch.sets[set]?.isUnwatched == true { return watch.arm(set) }
            if watch.sets[set]?.settling.state == .occupied { watch.changed([set]) }
        }
    }

    /// Does something after a pause, and the next time after a longer one.
    private func again(
        _ set: SaveSetID,
        after pause: Duration,
        _ body: @escaping @Sendable (isolated SaveWatch) -> Void
    ) {
        sets[set]?.again?.cancel()
        sets[set]?.pause = min(pause * 2, WatchedSet.longestPause)
        sets[set]?.again = loop.schedule(after: pause) { @Sendable [weak self] in self?.assumeIsolated(body) }
    }

    /// A deadline that moves away is looked at when the old one comes, so that a program that writes much costs no timer each time.
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

    // MARK: Coming and going

    /// Hears of file systems that come and go while there is any set.
    func awaitMounts() {
        guard !sets.isEmpty else {
            mounts = nil
            return
        }
        guard mounts == nil else { return }
        mounts = try? MountWatch(on: loop) { @Sendable [weak self] in self?.assumeIsolated { $0.mountsChanged() } }
        guard mounts != nil else { return }
        // They may have come or gone before anybody listened for that.
        mountsChanged()
    }

    /// Nothing tells of it within a folder that was covered, and of one that was taken away not while somebody uses it still.
    private func mountsChanged() { for set in sets.keys { lookForMount(of: set) } }

    /// Looks at the disk beside the loop: one that gives no answer, and has nothing to do with what was mounted, must not hold up the other sets.
    private func lookForMount(of set: SaveSetID) {
        guard let watched = sets[set] else { return }
        guard watched.mountLook == .done else {
            sets[set]?.mountLook = .wantedAgain
            return
        }
        sets[set]?.mountLook = .underWay
        let path = watched.folder.place.root
        // On Swift's own threads it would leave one behind that wakes every second.
        Task(executorPreference: loop.taskExecutor) { [weak self, lookAtRoot] in
            let root = try? await runBlocking("saves") { lookAtRoot(path) }
            await self?.sawMount(root ?? nil, of: set, at: path)
        }
    }

    private func sawMount(_ now: MountedFolder?, of set: SaveSetID, at path: String) {
        guard let watched = sets[set], watched.folder.place.root == path else { return }
        sets[set]?.mountLook = .done
        guard watched.mountLook != .wantedAgain else { return lookForMount(of: set) }
        // Also what is not there may have to be waited for in another folder.
        if watched.isThere == false { return arm(set) }
        guard watched.isThere == true, let root = watched.root, now?.identity != root.identity else { return }
        if let now, now.identity.device != root.identity.device, watched.isBare(now) {
            sets[set]?.bareDevice = now.identity.device
        }
        arm(set)
    }

    func retry(_ set: SaveSetID, after pause: Duration) {
        again(set, after: pause) { $0.arm(set) }
    }
}
