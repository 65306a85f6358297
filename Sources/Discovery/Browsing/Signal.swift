import LinuxPlatform
import Synchronization

/// A signal for one waiting task. A signal without a waiting task is kept for the next wait, once.
final class Signal: Sendable {
    private struct State {
        var wasSent = false
        var waiter: Resumption<Void>?
    }

    private let state = Mutex(State())

    func send() {
        let waiter = state.withLock { state in
            guard let waiter = state.waiter.take() else {
                state.wasSent = true
                return nil as Resumption<Void>?
            }
            return waiter
        }
        waiter?.resume(with: .success(()))
    }

    /// Waits for a signal, for `limit` to pass, or for the task to be cancelled.
    func wait(atMost limit: Duration?, on loop: EventLoop) async {
        let resumption = Resumption<Void>()
        let wasSent = state.withLock { state in
            defer { state.wasSent = false }
            if !state.wasSent { state.waiter = resumption }
            return state.wasSent
        }
        guard !wasSent else { return }
        let timer = limit.map { loop.schedule(after: $0) { @Sendable in resumption.resume(with: .success(())) } }
        // The caller itself checks the cause: a signal, the time limit or a cancellation.
        _ = try? await resumption.valueUnlessCancelled()
        timer?.cancel()
        state.withLock { $0.waiter = nil }
    }
}
