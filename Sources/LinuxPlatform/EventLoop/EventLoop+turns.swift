extension EventLoop {
    /// Lets everything else that waits for the loop's thread run first.
    ///
    /// A task whose calls all succeed at once would otherwise keep the loop for itself. `Task.yield` would go through
    /// Swift's own threads if the task prefers no executor.
    public nonisolated(nonsending) func letOthersRun() async {
        await withCheckedContinuation { continuation in
            perform { @Sendable in continuation.resume() }
        }
    }
}
