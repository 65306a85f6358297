extension EventLoop {
    /// Asks something that may block for long, such as a disk, on a thread of its own, and hands on the answer: for whoever must not wait for it. Nothing but the
    /// answer ends the question, so callers bound how many are open at once.
    ///
    /// Where there is no thread to be had, as where many wait for disks already, it is tried again each second.
    ///
    /// - Parameters:
    ///   - name: the thread's
    ///   - question: may block
    ///   - then: is called from a task on this loop, as all in between: on Swift's own threads it would leave one behind that wakes every second
    public func ask<Answer: Sendable>(
        _ name: String,
        _ question: @escaping @Sendable () -> Answer,
        then: @escaping @Sendable (Answer) async -> Void
    ) {
        Task(executorPreference: taskExecutor) {
            while true {
                if let answer = try? await runBlocking(name, question) { return await then(answer) }
                try? await self.sleep(for: .seconds(1))
            }
        }
    }
}
