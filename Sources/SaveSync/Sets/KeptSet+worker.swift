import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// The worker of the folder.
extension KeptSet {
    /// Takes one step after the other until the task is cancelled.
    func run() async {
        await resume()
        while !Task.isCancelled {
            handle(.folder(.wakes))
            if await work.alone(step) { continue }
            handle(.folder(.rests))
            keeper.trimmer.worked()
            try? await worker.wait()
        }
    }

    /// Takes a step. Answers whether there was one.
    private func step() async -> Bool {
        guard let step = update({ $0.nextStep() }) else { return false }
        switch step {
        case .scan(let order): await readFolder(order)
        case .merge(let one, let other): await merge(one, other)
        case .apply(let version): await show(version)
        }
        return true
    }

    /// The watch reports an event of the folder.
    func hears(_ event: PlaceEvent) {
        switch event {
        case .changing: handle(.watch(.changing))
        case .settled: handle(.watch(.settled))
        case .occupied(let program): handle(.watch(.occupied(by: program)))
        case .unsettled(let time): handle(.watch(.unsettled(SaveSyncError.unsettled(entry, time))))
        case .opened: program.fileOpened(of: self)
        case .gone: handle(.watch(.gone(SaveSyncError.folderAway(entry))))
        case .back: handle(.watch(.back))
        case .unwatched(let error): handle(.watch(.unwatched(error)))
        case .watched: handle(.watch(.watched))
        case .trouble(let error): handle(.watch(.trouble(error)))
        }
    }
}
