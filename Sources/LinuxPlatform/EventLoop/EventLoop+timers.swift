import Synchronization

/// A pending timer. Dropping the value does not cancel it.
public struct ScheduledTimer: Sendable {
    let id: UInt64
    let loop: EventLoop

    /// Cancels the timer, unless it is already due.
    public func cancel() {
        // Releases the work's captures outside the lock: they may call back into the loop.
        _ = loop.state.withLock { $0.timers.cancel(id) }
    }
}

extension EventLoop {
    /// Runs `work` on the loop's thread once `deadline` has passed. Time counts while the machine sleeps.
    @discardableResult
    public func schedule(
        at deadline: ContinuousClock.Instant,
        _ work: @escaping @Sendable () -> Void
    ) -> ScheduledTimer {
        state.withLock { state in
            let id = state.timers.add(work, at: deadline)
            // A loop that is awake looks at its timers before it goes to sleep.
            if state.isAsleep, case .thread(let poll) = driver { arm(&state, poll) }
            return ScheduledTimer(id: id, loop: self)
        }
    }

    /// Runs `work` on the loop's thread after `delay`.
    @discardableResult
    public func schedule(after delay: Duration, _ work: @escaping @Sendable () -> Void) -> ScheduledTimer {
        schedule(at: .current + delay, work)
    }

    /// Suspends the caller until `deadline`, or throws `CancellationError` as soon as its task is cancelled.
    public nonisolated(nonsending) func sleep(until deadline: ContinuousClock.Instant) async throws {
        let resumption = Resumption<Void>()
        let timer = schedule(at: deadline) { @Sendable in resumption.resume(with: .success(())) }
        try await resumption.value(from: taskExecutor, onCancel: timer.cancel)
    }

    /// Suspends the caller for `delay`.
    public nonisolated(nonsending) func sleep(for delay: Duration) async throws {
        try await sleep(until: .current + delay)
    }
}
