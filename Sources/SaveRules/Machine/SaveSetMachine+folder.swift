import Vocabulary

/// The folder of a game: events of its watch, and the steps of its worker.
extension SaveSetMachine {
    mutating func handle(_ event: SaveSetEvent.Watch, at now: ContinuousClock.Instant) -> [SaveSetEffect] {
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
            // For a running game there is another message.
            return play.games.writer == nil && !play.games.isRunning ? trouble(error, in: .settling) : []
        case .gone(let error):
            play.filesClosed()
            let effects = played(play.savedWasRead(isClosing: life == .ending, at: now))
            // The next scan finds the same problem, of which the user hears now.
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

    mutating func handle(_ event: SaveSetEvent.Folder, at now: ContinuousClock.Instant) -> [SaveSetEffect] {
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
        case .problem(let error, let matter, let isReported):
            if isReported { return trouble(error, in: matter) }
            _ = problems.note(error, of: matter, telling: false)
        case .solved(let matter): problems.solved(matter)
        }
        return []
    }

    /// Notes a problem. The user hears of it once, until it is solved.
    mutating func trouble(_ error: any ExplainedError, in matter: SetProblems.Matter) -> [SaveSetEffect] {
        problems.note(error, of: matter, telling: true) ? [.tell(.trouble(error))] : []
    }

    /// Takes the next step of the worker; nil if there is none.
    public mutating func nextStep() -> FolderWork.Step? { life == .left ? nil : folder.next(pending: heads.pending) }

    /// Notes that a program uses the folder, so that a version can't be applied.
    /// - Returns: true if the watch must look for that program
    public mutating func foundInUse(by version: SnapshotID) -> Bool {
        play.games.writer == nil && folder.foundInUse(by: version)
    }

    /// True while no game may begin, because its folder or its settings are changing.
    public var isFolderHeld: Bool { folder.isChanging || life == .changing }
}
