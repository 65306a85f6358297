import LinuxPlatform

/// Returns the result of the work; nil if Ctrl-C, SIGTERM or the closing of the terminal comes first and cancels it.
func unlessSignalled<Value: Sendable>(
    _ signals: Signals,
    _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value? {
    try await withThrowingTaskGroup(of: Value?.self) { group in
        defer { group.cancelAll() }
        group.addTask { try await work() }
        group.addTask {
            _ = await signals.next()
            return nil
        }
        return try await group.next() ?? nil
    }
}
