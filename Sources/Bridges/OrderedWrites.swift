import LinuxPlatform

/// Writes of one file, one after the other, in the order of the calls.
@Engine
final class OrderedWrites {
    private var last: Task<Void, any Error>?

    /// Writes after all writes that began before, even if those failed.
    func write(_ body: @escaping @Sendable () async throws -> Void) async throws {
        let before = last
        let task = Task {
            _ = try? await before?.value
            try await body()
        }
        last = task
        try await task.value
    }
}
