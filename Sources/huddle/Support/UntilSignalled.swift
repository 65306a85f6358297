import LinuxPlatform

/// How long the work may take to end in order before the program leaves all the same.
private let patience: Duration = .seconds(1)

/// Runs what `start` adds until Ctrl-C, SIGTERM or the end of `limit`, then cancels it and waits for its end. A second
/// signal, or the end of patience, ends the wait: Avahi's library can hang for as long as its daemon does.
func untilSignalled(
    _ signals: Signals,
    orFor limit: Duration? = nil,
    _ start: @escaping @Sendable (inout ThrowingTaskGroup<Void, any Error>) -> Void
) async throws {
    let work = Task(executorPreference: EventLoop.shared) {
        try await withThrowingTaskGroup(of: Void.self) { group in
            start(&group)
            // The first that fails ends them all.
            for try await _ in group {}
        }
    }
    await waitForReason(to: work, signals, limit)
    work.cancel()
    let end = Resumption<Void>()
    let timer = EventLoop.shared.schedule(after: patience) { @Sendable in end.resume(with: .success(())) }
    let impatience = Task {
        while let signal = await signals.next(), signal == .hangUp {}
        end.resume(with: .success(()))
    }
    Task { end.resume(with: await work.result) }
    defer {
        timer.cancel()
        impatience.cancel()
    }
    do { try await end.value } catch is CancellationError {}
}

private func waitForReason(to work: Task<Void, any Error>, _ signals: Signals, _ limit: Duration?) async {
    await withTaskGroup(of: Void.self) { group in
        group.addTask {
            while let signal = await signals.next(), signal == .hangUp {}
        }
        group.addTask {
            await withTaskCancellationHandler {
                _ = await work.result
            } onCancel: {
                work.cancel()
            }
        }
        if let limit {
            group.addTask { try? await EventLoop.shared.sleep(for: limit) }
        }
        await group.next()
        group.cancelAll()
    }
}
