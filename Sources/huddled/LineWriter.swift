import LinuxPlatform
import Synchronization

/// Has lines written, in order, by a thread that nothing else needs: a terminal that is held with Ctrl-S, or a pipe that nobody
/// reads, holds up what is written and nothing more.
///
/// Only so many lines wait. Further ones are left out and counted until all that wait are written; then it is said how many
/// are missing there.
final class LineWriter: Sendable {
    private struct State {
        var waiting = 0
        var missing = 0
    }

    private let thread: EventLoop
    private let room: Int
    private let state = Mutex(State())
    private let write: @Sendable (String) -> Void
    private let missing: @Sendable (Int) -> String

    /// - Parameters:
    ///   - room: how many lines may wait
    ///   - missing: the line that stands for those which are left out
    ///   - write: writes one, for as long as that takes
    init(
        named name: String,
        room: Int,
        missing: @escaping @Sendable (Int) -> String,
        _ write: @escaping @Sendable (String) -> Void
    ) {
        thread = EventLoop(named: name)
        (self.room, self.missing, self.write) = (room, missing, write)
    }

    /// Has a line written. Nobody waits for that.
    func callAsFunction(_ line: String) {
        let isTaken = state.withLock { state in
            guard state.missing == 0, state.waiting < room else {
                state.missing += 1
                return false
            }
            state.waiting += 1
            return true
        }
        guard isTaken else { return }
        thread.perform { @Sendable in
            self.write(line)
            let missing = self.state.withLock { state in
                state.waiting -= 1
                defer { if state.waiting == 0 { state.missing = 0 } }
                return state.waiting == 0 ? state.missing : 0
            }
            if missing > 0 { self.write(self.missing(missing)) }
        }
    }

    /// Waits until all is written that was to be, but no longer than the limit.
    func finish(within limit: Duration) async {
        let written = Resumption<Void>()
        let timer = EventLoop.shared.schedule(after: limit) { @Sendable in written.resume(with: .success(())) }
        defer { timer.cancel() }
        thread.perform { @Sendable in written.resume(with: .success(())) }
        try? await written.value()
    }
}
