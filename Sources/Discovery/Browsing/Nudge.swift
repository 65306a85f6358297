import LinuxPlatform
import Synchronization

/// A bell: whoever waits for it goes on when somebody rings. A ring with nobody waiting is kept for the next wait, once.
final class Nudge: Sendable {
    private struct State {
        var hasRung = false
        var waiter: Resumption<Void>?
    }

    private let state = Mutex(State())

    func ring() {
        let waiter = state.withLock { state in
            guard let waiter = state.waiter.take() else {
                state.hasRung = true
                return nil as Resumption<Void>?
            }
            return waiter
        }
        waiter?.resume(with: .success(()))
    }

    /// Waits for a ring, for `limit` to pass or for the task to be cancelled.
    func wait(atMost limit: Duration?, on loop: EventLoop) async {
        let resumption = Resumption<Void>()
        let hasRung = state.withLock { state in
            defer { state.hasRung = false }
            if !state.hasRung { state.waiter = resumption }
            return state.hasRung
        }
        guard !hasRung else { return }
        let timer = limit.map { loop.schedule(after: $0) { @Sendable in resumption.resume(with: .success(())) } }
        // Whether it was a ring, the time or the end, the caller looks for itself.
        _ = try? await resumption.valueUnlessCancelled()
        timer?.cancel()
        state.withLock { $0.waiter = nil }
    }
}
