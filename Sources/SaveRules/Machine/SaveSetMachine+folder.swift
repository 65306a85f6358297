public import Vocabulary

/// The folder of a game: events of its watch, and the steps of its worker.
extension SaveSetMachine {
    /// Events of the watch.
    public enum WatchEvent: Sendable {
        /// The folder changes. This comes once until the folder settles.
        case changing
        /// The folder has changed, and no program writes there.
        case settled
        /// A program has a file open for writing.
        case occupied(by: String)
        /// A program writes there for too long, as this error says.
        case unsettled(any ExplainedError)
        /// The folder is not there, as this error says.
        case gone(any ExplainedError)
        case back
        /// Changes are not noticed at once, for this reason.
        case unwatched(any ExplainedError)
        case watched
        case trouble(any ExplainedError)
    }

    /// Steps of the worker, as they begin and end.
    public enum FolderEvent: Sendable {
        /// The worker is awake.
        case wakes
        /// The worker has nothing to do.
        case rests
        /// A scan is wanted, although the watch has not said that the folder settled.
        case scanWanted(ofEveryByte: Bool = false)
        /// A scan has looked at the folder, and has or has not read it.
        case scanEnded
        /// A scan has read the whole folder.
        case scanWorked
        /// A program writes there, so that the scan stopped.
        case scanPostponed(ofEveryByte: Bool)
        case scanFailed(ofEveryByte: Bool = false)
        case mergeWorked, mergeFailed
        /// A version is about to be put into the folder.
        case applyBegins(SnapshotID)
        /// The folder is being changed now, or no longer.
        case changes(Bool)
        /// The folder could be changed, or a reason against the version was found.
        case applyAnswered
        case applyWorked, applyFailed
        /// The folder has lost its files, or has them again.
        case emptied(EmptiedSave?)
        /// A version is not put into the folder, for this reason.
        case quarantined(SnapshotID, String)
        /// Something failed that has no step of its own.
        case problem(any ExplainedError, of: SetProblems.Matter, telling: Bool)
        case solved(SetProblems.Matter)
    }

    mutating func handle(_ event: WatchEvent, at now: ContinuousClock.Instant) -> [Effect] {
        switch event {
        case .changing:
            folder.changing()
            return []
        case .settled:
            play.filesClosed()
            folder.settled()
            return [.work]
        case .occupied(let program):
            problems.solved(.settling)
            return isAlive ? played(play.opened(by: program, at: now)) : []
        case .unsettled(let error):
            // A game that runs has its own message.
            return play.games.writer == nil && !play.games.isRunning ? trouble(error, in: .settling) : []
        case .gone(let error):
            play.filesClosed()
            let effects = played(play.savedWasRead(isClosing: life == .ending, at: now))
            // The next scan finds the same.
            _ = problems.note(error, of: .scanning, telling: true)
            return effects + [.tell(.gone)]
        case .back:
            // The worker is about to scan it.
            problems.folderIsBack()
            return [.tell(.back)]
        case .unwatched(let error):
            problems.unwatched = error
            return [.tell(.trouble(error))]
        case .watched:
            problems.unwatched = nil
            return []
        case .trouble(let error): return trouble(error, in: .scanning)
        }
    }

    mutating func handle(_ event: FolderEvent, at now: ContinuousClock.Instant) -> [Effect] {
        switch event {
        case .wakes: folder.wake()
        case .rests: folder.rest()
        case .scanWanted(let isThorough):
            folder.requestScan(ofEveryByte: isThorough)
            return [.work]
        case .scanEnded: folder.scanEnded()
        case .scanWorked:
            folder.scanWorked()
            problems.solved(.scanning)
            problems.solved(.settling)
        case .scanPostponed(let isThorough): folder.scanPostponed(ofEveryByte: isThorough)
        case .scanFailed(let isThorough): folder.scanFailed(ofEveryByte: isThorough, at: now)
        case .mergeWorked: folder.mergeWorked()
        case .mergeFailed: folder.mergeFailed(at: now)
        case .applyBegins(let version): folder.beginApplying(version)
        case .changes(let isChanging): folder.note(changing: isChanging)
        case .applyAnswered: problems.solved(.applying)
        case .applyWorked: folder.applyWorked()
        case .applyFailed: folder.applyFailed(at: now)
        case .emptied(let found): problems.noteEmptied(found)
        case .quarantined(let version, let reason): quarantine[version] = reason
        case .problem(let error, let matter, let isTold):
            if isTold { return trouble(error, in: matter) }
            _ = problems.note(error, of: matter, telling: false)
        case .solved(let matter): problems.solved(matter)
        }
        return []
    }

    /// Something does not work. The user hears of it once, until it is solved.
    mutating func trouble(_ error: any ExplainedError, in matter: SetProblems.Matter) -> [Effect] {
        problems.note(error, of: matter, telling: true) ? [.tell(.trouble(error))] : []
    }

    /// Takes the next step of the worker; nil if there is none.
    public mutating func nextStep() -> FolderWork.Step? { life == .left ? nil : folder.next(pending: heads.pending) }

    /// A program that uses the folder keeps a version out. Answers whether the watch is to look for that program.
    public mutating func foundInUse(by version: SnapshotID) -> Bool {
        play.games.writer == nil && folder.foundInUse(by: version)
    }

    /// True while no game may begin: its folder is being changed, or its settings are.
    public var isFolderHeld: Bool { folder.isChanging || life == .changing }
}
