import LinuxPlatform
import SaveRules
import Session

/// The worker of the folder.
extension KeptSet {
    /// Takes one step after the other until the task is cancelled.
    func run() async {
        await resume()
        while !Task.isCancelled {
            folder.wake()
            if await work.alone(step) { continue }
            folder.rest()
            noteQuiet()
            keeper.trimmer.worked()
            try? await worker.wait()
        }
    }

    /// Wakes the worker, because there may be a step to take.
    func lookUp() { worker.wake() }

    /// Takes a step. Answers whether there was one.
    private func step() async -> Bool {
        guard life != .left, let step = folder.next(pending: heads.pending) else { return false }
        switch step {
        case .scan(let order): await readFolder(order)
        case .merge(let one, let other): await merge(one, other)
        case .apply(let version): await show(version)
        }
        return true
    }

    /// Carries out what follows from a change of the versions, or leaves it to the worker.
    func follow(_ actions: [SetHeads.Action]) {
        for action in actions {
            switch action {
            case .announce:
                announce()
                lookForMore()
            case .apply: folder.retryApplying()
            case .merge(let one, let other): folder.requestMerge(one, other)
            case .tellSplit(let ids): tell(.conflict(ids))
            case .tellWhole: tell(.whole)
            }
        }
        lookUp()
    }
}
