import Synchronization

extension EventLoop {
    /// Handles ready descriptors, due timers and queued work. Returns nil once the loop must end.
    func runBatch(_ poll: Poll) -> Poll.Patience? {
        state.withLock { state in
            state.isAsleep = false
            if poll.timerHasFired { state.armedDeadline = nil }
        }
        poll.takeReady { id, readiness in
            // Looked up one at a time: an earlier handler of the same batch may have cancelled this watch.
            state.withLock { $0.watches[id] }?(readiness)
        }
        if poll.timerHasFired { runDueTimers() }
        runItems()
        return settle(poll)
    }

    /// Runs the queue, and the work which that queues in turn, for a limited number of rounds so that descriptors don't
    /// wait for long.
    private func runItems() {
        var batch: [Item] = state.withLock { $0.spare.take() } ?? []
        for _ in 0..<Self.roundsBetweenPolls {
            state.withLock { swap(&$0.items, &batch) }
            guard !batch.isEmpty else { break }
            for item in batch { runToItsEnd(item) }
            batch.removeAll(keepingCapacity: batch.capacity <= Self.keptCapacity)
        }
        state.withLock { $0.spare = batch }
    }

    /// The number of items whose memory is kept for the next iteration.
    private static let keptCapacity = 64

    /// A job that continues in another actor of the loop is queued again. A kernel call between each two of them would
    /// cost more than the jobs.
    private static let roundsBetweenPolls = 16

    /// Runs an item, and continues with it if it queues itself before it ends.
    ///
    /// Swift does that if a task's preferred executor is not the one that ran it, on the way into a function or a
    /// continuation that would otherwise start at once. Nothing may run in between: an actor that looks at its state,
    /// finds that it must wait, and keeps a continuation would miss the event that it waits for.
    func runToItsEnd(_ item: Item) {
        guard let job = item.job else { return run(item) }
        var next: Item? = item
        while let item = next {
            state.withLock { $0.runningJob = job }
            run(item)
            next = state.withLock { state in
                state.runningJob = nil
                return state.ownReturn.take()
            }
        }
    }

    private func run(_ item: Item) {
        switch item {
        case .actorJob(let job):
            job.runSynchronously(on: asUnownedSerialExecutor())
        case .taskJob(let job, let executor):
            job.runSynchronously(
                isolatedTo: asUnownedSerialExecutor(),
                taskExecutor: executor.asUnownedTaskExecutor()
            )
        case .work(let work):
            work()
        }
    }

    private func runDueTimers() {
        let now = ContinuousClock.now
        while let work = state.withLock({ $0.timers.popDue(now) }) { work() }
    }

    private func settle(_ poll: Poll) -> Poll.Patience? {
        state.withLock { state in
            guard !state.isEnding else { return nil }
            arm(&state, poll)
            state.isAsleep = state.items.isEmpty
            return state.isAsleep ? .untilWoken : .dontWait
        }
    }

    /// Sets the alarm for the next timer.
    ///
    /// An alarm that a cancelled timer leaves behind stays set. It fires once in vain, and until then saves two kernel
    /// calls for each deadline that is kept.
    func arm(_ state: inout State, _ poll: Poll) {
        guard let next = state.timers.next else { return }
        if let armed = state.armedDeadline, armed <= next { return }
        state.armedDeadline = next
        poll.arm(after: next - .now)
    }
}
