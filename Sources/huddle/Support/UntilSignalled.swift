import LinuxPlatform

/// The time that the work has to end in order before the program stops waiting for it.
private let patience: Duration = .seconds(1)

/// Runs the tasks that `start` adds until Ctrl-C, SIGTERM, the closing of the terminal or the end of `limit`. Then it
/// cancels the tasks and waits for their end.
///
/// A second signal, or the end of `patience`, ends that wait. Avahi's library can hang as long as its daemon hangs, and
/// a read from a terminal as long as the user types nothing.
func untilSignalled(
    _ signals: Signals,
    orFor limit: Duration? = nil,
    _ start: @escaping @Sendable (inout ThrowingTaskGroup<Void, any Error>) -> Void
) async throws {
    let outcome = Resumption<Void>()
    let work = Task(executorPreference: EventLoop.shared.taskExecutor) {
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                start(&group)
                // The first task that fails ends all tasks.
                for try await _ in group {}
            }
            outcome.resume(with: .success(()))
        } catch is CancellationError {
            outcome.resume(with: .success(()))
        } catch {
            // An error after the signal only results from the cancellation.
            outcome.resume(with: Task.isCancelled ? .success(()) : .failure(error))
        }
    }
    // This task must not run on Swift's own threads: after their first task they wake up each second for ever.
    let stopping = Task(executorPreference: EventLoop.shared.taskExecutor) {
        await reasonToStop(signals, limit)
        work.cancel()
        await reasonToStop(signals, patience)
        outcome.resume(with: .success(()))
    }
    let ended: Result<Void, any Error>
    do { ended = .success(try await outcome.value()) } catch { ended = .failure(error) }
    stopping.cancel()
    // Signals have only one reader at a time, so this one must have ended before the next begins.
    await stopping.value
    return try ended.get()
}

/// Waits for a signal, at most as long as the limit.
private func reasonToStop(_ signals: Signals, _ limit: Duration?) async {
    await withTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        // A closed terminal ends a command, too: SIGHUP reloads only daemons.
        group.addTask { _ = await signals.next() }
        if let limit { group.addTask { try? await EventLoop.shared.sleep(for: limit) } }
        await group.next()
    }
}
