import LinuxPlatform
import Session
import SessionRules

/// Shows how far a transfer is while it is waited for.
@Engine
struct TransferWatch {
    let report: SessionReport
    /// Tells bars apart.
    let number: Int
    let title: String
    let width: Int
    /// What programs are told, at most once a second.
    let news: @Sendable (TransferProgress) -> SessionNews

    private static let tick = Duration.milliseconds(250)

    func during<Value: Sendable>(
        _ progress: @escaping @Engine @Sendable () -> TransferProgress,
        _ work: @escaping @Engine @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask {
                try await self.show(progress)
                return nil
            }
            group.addTask { try await work() }
            do {
                while let value = try await group.next() {
                    guard let value else { continue }
                    group.cancelAll()
                    try await report.show(nil, for: number)
                    return value
                }
            } catch {
                group.cancelAll()
                try await report.show(nil, for: number)
                throw error
            }
            throw CancellationError()
        }
    }

    private func show(_ progress: @escaping @Engine @Sendable () -> TransferProgress) async throws {
        var told: UInt64?
        var ticks = 0
        while !Task.isCancelled {
            try? await EventLoop.shared.sleep(for: Self.tick)
            guard !Task.isCancelled else { return }
            let now = progress()
            try await report.show(ProgressPicture(title, now, width: width).line, for: number)
            ticks += 1
            if ticks.isMultiple(of: 4), now.done != told {
                told = now.done
                try await report.tell(news(now))
            }
        }
    }
}
