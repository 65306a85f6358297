import CLinux

extension EventLoop {
    /// Runs `body`, and cancels it when `limit` has passed.
    ///
    /// - Throws: what `body` throws, or `SystemError` with `ETIMEDOUT`.
    public nonisolated(nonsending) func withDeadline<Value: Sendable>(
        _ limit: Duration,
        _ operation: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await self.sleep(for: limit)
                throw SystemError(operation, ETIMEDOUT)
            }
            guard let first = try await group.next() else { preconditionFailure("a group of two was empty") }
            return first
        }
    }
}
