import LinuxPlatform
import SessionRules

/// Reports the progress of a transfer while the caller waits for it.
@Engine
struct TransferWatch {
    /// Reports the progress, at most four times a second.
    let tell: @Engine @Sendable (TransferProgress) async throws -> Void

    private static let tick = Duration.milliseconds(250)

    func during<Value: Sendable>(
        _ progress: @escaping @Engine @Sendable () -> TransferProgress,
        _ work: @escaping @Engine @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await self.follow(progress)
                return nil
            }
            group.addTask { try await work() }
            while let value = try await group.next() {
                if let value { return value }
            }
            throw CancellationError()
        }
    }

    private func follow(_ progress: @escaping @Engine @Sendable () -> TransferProgress) async throws {
        var reported: UInt64?
        while !Task.isCancelled {
            try? await EventLoop.shared.sleep(for: Self.tick)
            guard !Task.isCancelled else { return }
            let now = progress()
            guard now.done != reported else { continue }
            reported = now.done
            try await tell(now)
        }
    }
}
