import LinuxPlatform
import SaveRules
import Session

/// The worker.
extension KeptSet {
    /// Does what is to be done, one thing after the other, until the task is cancelled.
    func run() async {
        await resume()
        while !Task.isCancelled {
            isWorking = true
            if await work.alone(step) { continue }
            isWorking = false
            noteQuiet()
            keeper.resting.worked()
            let wake = Resumption<Void>()
            self.wake = wake
            try? await wake.valueUnlessCancelled()
            self.wake = nil
        }
    }

    /// There may be something to do.
    func lookUp() {
        wake?.resume(with: .success(()))
    }

    /// Answers whether there was anything to do.
    private func step() async -> Bool {
        guard life != .left else { return false }
        if isReadWanted {
            isReadWanted = false
            await readFolder()
        } else if !merges.isEmpty {
            let pair = merges.removeFirst()
            await merge(pair[0], pair[1])
        } else if let pending = heads.pending, pending != heldBack {
            await show(pending)
        } else {
            return false
        }
        return true
    }

    /// What follows from a change, as far as it is done at once.
    func follow(_ actions: [SetHeads.Action]) {
        for action in actions {
            switch action {
            case .announce:
                announce()
                lookForMore()
            case .apply: heldBack = nil
            case .merge(let one, let other): merges.append([one, other])
            case .tellSplit(let ids): tell(.conflict(ids))
            case .tellWhole: tell(.whole)
            }
        }
        lookUp()
    }
}
