import LinuxPlatform

/// Tasks that wait for the next change of something.
@Engine
final class Waiters {
    private var waiting: [Resumption<Void>] = []

    /// True if no task waits.
    var isEmpty: Bool { waiting.isEmpty }

    /// Creates an object for which no task waits.
    nonisolated init() {}

    /// Waits until ``wake()``, until the deadline, or until the task is cancelled.
    /// - Throws: `CancellationError`
    func wait(until deadline: ContinuousClock.Instant? = nil) async throws {
        let turn = Resumption<Void>()
        waiting.append(turn)
        let timer = deadline.map { Engine.schedule(at: $0) { turn.resume(with: .success(())) } }
        defer {
            timer?.cancel()
            waiting.removeAll { $0 === turn }
        }
        try await turn.valueUnlessCancelled()
    }

    /// Wakes all tasks that wait. Those that wait from now on wait for the next change.
    func wake() {
        for turn in waiting { turn.resume(with: .success(())) }
    }
}
