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
/// While nothing happens it does nothing. Before it looks into a set's folder somebody beside it has had an answer from that disk, so that one which gives none
/// holds up no other set. It may still wait for a moment, so it has a loop of its own.
public actor SaveWatch {
    let loop: EventLoop
    let queue: Inotify
    var sets: [SaveSetID: WatchedSet] = [:]
    var roles: [Inotify.Watch: Set<WatchRole>] = [:]
    /// How often the kernel had something to tell.
    package private(set) var wakeCount = 0
    /// A file system may bring back a set's folder, cover it or take it away.
    private var mounts: MountWatch?
    let lookAtRoot: @Sendable (String) -> MountedFolder?
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

    /// Watches a set's folder as soon as its disk gives an answer, which is not waited for here. It counts as changed then, because nobody knows what happened
    /// before.
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
        rearm(folder.set)
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
        let isStill = state == .reading && sets[set]?.errand.isDeaf != true
        let now = ContinuousClock.now
        act(on: set) { settling in
            (outcome == .stirred ? settling.changed(at: now) : []) + settling.read()
        }
        tellUnsettled(set)
        if outcome == .whole, isStill, let root = sets[set]?.root {
            sets[set]?.readRoots.insert(root.identity)
        }
        return isStill
    }

    /// What lies in the place of a file system that was taken away may have been read as the set's after all.
    private func wasReadUnasked(_ set: SaveSetID) {
        guard let watched = sets[set], watched.isThere == false, watched.bareDevice != nil else { return }
        sets[set]?.bareDevice = nil
        rearm(set)
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
            let wasRead = settling.state == .still || settling.state == .disturbed
            actions = step(&settling)
            sets[set]?.settling = settling
            if wasRead, settling.state == .stirring { sets[set]?.tell(.changing) }
        }
        for action in actions { perform(action, set) }
        awaitDeadline(of: set)
    }

    private func perform(_ action: Settling.Action, _ set: SaveSetID) {
        guard let watched = sets[set] else { return }
        switch action {
        case .read: watched.tell(.settled)
        case .tellUnsettled(let time):
            sets[set]?.unsettled = time
            // Who writes again and again is not waited for until it is quiet: it may be a game.
            let isWriting = watched.settling.state == .stirring && !watched.hasToldWriters
            if watched.isThere == true, watched.check == .done, isWriting { check(set) } else { tellUnsettled(set) }
        case .tellSettled:
            sets[set]?.unsettled = nil
            sets[set]?.hasToldUnsettled = false
            if watched.hasToldUnsettled { watched.tell(.settledAfterAll) }
        case .check: check(set)
        }
    }

    /// Looks at the disk beside the loop: one that gives no answer must not hold up the other sets.
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
        // What was found before more has changed is not true any more. It may say all the same why it does not settle.
        if isAsked || watched.settling.state == .stirring, watched.unsettled != nil,
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
                // What changes it now is this program, which reads it afterwards.
                act(on: set) { $0.checked(isOccupied: true) }
                return lookAgain(set, after: watched.pause)
            }
            if case .occupied(let writers) = occupancy {
                tell(writers, of: set)
                act(on: set) { $0.checked(isOccupied: true) }
                return lookAgain(set, after: watched.pause)
            }
        } catch {
            // Whoever reads it now finds the same.
            watched.tell(.trouble(error))
        }
        sets[set]?.forgetWriters()
        act(on: set) { $0.checked(isOccupied: false) }
    }

    private func tell(_ writers: [FileWriter], of set: SaveSetID) {
        guard let watched = sets[set], !watched.hasToldWriters else { return }
        sets[set]?.hasToldWriters = true
        watched.tell(.occupied(writers))
    }

    /// That it does not settle is told once it is known who writes there. What is being read may have settled, and what is not there, or gives no answer, is
    /// told of otherwise.
    private func tellUnsettled(_ set: SaveSetID) {
        guard let watched = sets[set], let time = watched.unsettled, watched.isThere == true, watched.check == .done,
            watched.settling.state != .reading
        else { return }
        sets[set]?.unsettled = nil
        sets[set]?.hasToldUnsettled = true
        watched.tell(.unsettled(time))
    }

    private func lookAgain(_ set: SaveSetID, after pause: Duration) {
        again(set, after: pause) { watch in
            // This has taken the place of another try to watch it.
            if watch.sets[set]?.isUnwatched == true { return watch.rearm(set) }
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
    private func mountsChanged() { for set in sets.keys { look(at: set, anew: true) { $0.isComparing = true } } }

    func retry(_ set: SaveSetID, after pause: Duration) {
        again(set, after: pause) { $0.rearm(set) }
    }
}
