import LinuxPlatform

extension Engine {
    /// Begins something on the engine's own thread, after whatever was begun there before.
    @discardableResult
    nonisolated static func begin<Value: Sendable>(
        _ work: @escaping @Engine @Sendable () async throws -> Value
    ) -> Task<Value, any Error> {
        Task(executorPreference: EventLoop.shared.taskExecutor, operation: work)
    }

    /// Begins something that can't fail.
    @discardableResult
    nonisolated static func begin(_ work: @escaping @Engine @Sendable () async -> Void) -> Task<Void, Never> {
        Task(executorPreference: EventLoop.shared.taskExecutor, operation: work)
    }
}
