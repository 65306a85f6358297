extension EventLoop {
    /// Runs a question that may block for long, such as one to a disk, on a thread of its own, and delivers the answer
    /// to a caller that must not wait. Only the answer ends the question, so callers limit how many are open at once.
    ///
    /// If no thread is available, for example because many already wait for disks, it retries each second.
    ///
    /// - Parameters:
    ///   - name: the name of the thread
    ///   - question: the work, which may block
    ///   - then: called from a task on this loop, like everything in between; one of Swift's own threads would stay
    ///     behind and wake every second
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
