import LinuxPlatform

/// How long the work may take to end in order before the program leaves all the same.
private let patience: Duration = .seconds(1)

/// Runs what `start` adds until Ctrl-C, SIGTERM, the closing of the terminal or the end of `limit`, then cancels it and waits for its end. A second
/// signal, or the end of patience, ends the wait: Avahi's library can hang for as long as its daemon does, and a read
/// from a terminal for as long as nobody types.
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
                // The first that fails ends them all.
                for try await _ in group {}
            }
            outcome.resume(with: .success(()))
        } catch is CancellationError {
            outcome.resume(with: .success(()))
        } catch {
            // Whatever was cut short by the signal says so in its own words.
            outcome.resume(with: Task.isCancelled ? .success(()) : .failure(error))
        }
    }
    // Not on Swift's own threads: once they have run anything, they wake up every second for ever.
    let stopping = Task(executorPreference: EventLoop.shared.taskExecutor) {
        await reasonToStop(signals, limit)
        work.cancel()
        await reasonToStop(signals, patience)
        outcome.resume(with: .success(()))
    }
    let ended: Result<Void, any Error>
    do { ended = .success(try await outcome.value()) } catch { ended = .failure(error) }
    stopping.cancel()
    // Signals have one reader: the next one that waits for them must not find this one still there.
    await stopping.value
    return try ended.get()
}

/// Waits for a signal, and no longer than the limit.
private func reasonToStop(_ signals: Signals, _ limit: Duration?) async {
    await withTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        // A closed terminal ends a command too; reloading is for daemons.
        group.addTask { _ = await signals.next() }
        if let limit { group.addTask { try? await EventLoop.shared.sleep(for: limit) } }
        await group.next()
    }
}
