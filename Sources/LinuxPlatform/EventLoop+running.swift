import Synchronization

extension EventLoop {
    /// Hands out what is ready, what is due and what is queued; nil once the loop is to end.
    func runBatch() -> Poll.Patience? {
        state.withLock { state in
            state.isAsleep = false
            if poll.timerHasFired { state.armedDeadline = nil }
        }
        poll.takeReady { id, readiness in
            // Looked up one at a time: an earlier handler of the same batch may have cancelled this watch.
            state.withLock { $0.watches[id] }?(readiness)
        }
        runDueTimers()
        let items = state.withLock { state in
            defer { state.items = [] }
            return state.items
        }
        for item in items { run(item) }
        return settle()
    }

    private func run(_ item: Item) {
        switch item {
        case .job(let job):
            job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
        case .work(let work):
            work()
        }
    }

    private func runDueTimers() {
        guard poll.timerHasFired else { return }
        let now = ContinuousClock.now
        while let work = state.withLock({ $0.timers.popDue(now) }) { work() }
    }

    private func settle() -> Poll.Patience? {
        state.withLock { state in
            guard !state.isEnding else { return nil }
            arm(&state)
            state.isAsleep = state.items.isEmpty
            return state.isAsleep ? .untilWoken : .dontWait
        }
    }

    func arm(_ state: inout State) {
        let next = state.timers.next
        guard next != state.armedDeadline else { return }
        state.armedDeadline = next
        poll.arm(after: next.map { $0 - .now })
    }
}
