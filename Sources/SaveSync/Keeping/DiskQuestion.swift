import LinuxPlatform
import Session

/// Something that a disk is asked on a thread of its own, so that who asks can go on where it gives no answer.
@Engine
final class DiskQuestion<Answer: Sendable> {
    private var result: Answer?
    private var asking: [Resumption<Void>] = []

    init(_ ask: @escaping @Sendable () -> Answer) {
        Engine.loop.ask("saves", ask) { await self.end($0) }
    }

    private func end(_ result: Answer) {
        self.result = result
        for asker in asking { asker.resume(with: .success(())) }
        asking = []
    }

    /// Waits for the answer, until the task is cancelled.
    func answer() async throws -> Answer {
        while true { if let answer = try await answer(by: nil) { return answer } }
    }

    /// The same, but gives nil where there was none by then.
    func answer(by end: ContinuousClock.Instant?) async throws -> Answer? {
        if result == nil {
            let turn = Resumption<Void>()
            asking.append(turn)
            let timer = end.map { Engine.schedule(at: $0) { turn.resume(with: .success(())) } }
            defer { timer?.cancel() }
            try await turn.valueUnlessCancelled()
        }
        return result
    }
}
