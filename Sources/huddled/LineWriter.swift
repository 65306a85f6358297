import LinuxPlatform
import Synchronization

/// Writes lines in order on a thread of its own. If Ctrl-S holds a terminal, or a pipe has no reader, only these lines
/// stop.
///
/// The number of waiting lines is limited. Further lines are counted and left out until all waiting lines are written.
/// Then a line says how many are missing.
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
    ///   - room: the number of lines that can wait
    ///   - missing: returns the line that replaces those that were left out
    ///   - write: writes one line, which may take any time
    init(
        named name: String,
        room: Int,
        missing: @escaping @Sendable (Int) -> String,
        _ write: @escaping @Sendable (String) -> Void
    ) {
        thread = EventLoop(named: name)
        (self.room, self.missing, self.write) = (room, missing, write)
    }

    /// Queues a line without waiting.
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

    /// Waits until all queued lines are written, but at most as long as the limit.
    func finish(within limit: Duration) async {
        let written = Resumption<Void>()
        let timer = EventLoop.shared.schedule(after: limit) { @Sendable in written.resume(with: .success(())) }
        defer { timer.cancel() }
        thread.perform { @Sendable in written.resume(with: .success(())) }
        try? await written.value()
    }
}
