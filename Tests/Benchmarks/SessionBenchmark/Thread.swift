import LinuxPlatform

/// A detached thread.
enum Thread {
    static func start(_ work: @escaping @Sendable () -> Void) {
        Task(executorPreference: EventLoop.shared.taskExecutor) { try await runBlocking("raw", work) }
    }
}
