import LinuxPlatform
import Session

/// A call that waits for a disk, on a thread of its own. The caller can continue if the disk gives no answer.
@Engine
final class OffloadedCall<Answer: Sendable> {
    private var result: Answer?
    private let asking = Waiters()

    init(_ ask: @escaping @Sendable () -> Answer) {
        Engine.loop.ask("saves", ask) { await self.end($0) }
    }

    private func end(_ result: Answer) {
        self.result = result
        asking.wake()
    }

    /// Waits for the answer, until the task is cancelled.
    func answer() async throws -> Answer {
        while true { if let answer = try await answer(by: nil) { return answer } }
    }

    /// Waits for the answer until a moment; nil if there is no answer by then.
    func answer(by end: ContinuousClock.Instant?) async throws -> Answer? {
        if result == nil { try await asking.wait(until: end) }
        return result
    }
}
