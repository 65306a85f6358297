import LinuxPlatform

extension Engine {
    /// Starts work on the engine's thread, after all work that was started before.
    @discardableResult
    nonisolated static func begin<Value: Sendable>(
        _ work: @escaping @Engine @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: EventLoop.shared.taskExecutor, operation: work)
    }

    /// Starts work that can't fail.
    @discardableResult
    nonisolated static func begin(_ work: @escaping @Engine @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: EventLoop.shared.taskExecutor, operation: work)
    }
}
