import LinuxPlatform
import Session

/// Gives memory back after work. Much work takes much memory, which is not needed afterwards.
@Engine
final class MemoryTrimmer {
    private let trim: @Engine @Sendable () async -> Void
    private let tasks: TaskScope
    private lazy var own = IdleTimer(after: .seconds(1), within: .seconds(60)) { [weak self] in self?.begin() }
    /// The timer for other parts of the daemon. It waits longer than the timer for the engine: a game may send data
    /// every second, and giving memory back takes milliseconds.
    private lazy var others = IdleTimer(after: .seconds(5), within: .seconds(60)) { [weak self] in self?.begin() }
    private var state = State.idle

    private enum State {
        case idle, trimming
        /// Trimming runs, and must run again because there was more work meanwhile.
        case again
        case ended
    }

    /// - Parameter trim: gives memory back; if a disk gives no answer, it waits for the disk
    init(_ tasks: TaskScope, _ trim: @escaping @Engine @Sendable () async -> Void) {
        (self.tasks, self.trim) = (tasks, trim)
    }

    /// Notes that the engine has worked.
    func worked() { own.worked() }

    /// Notes that other parts of the daemon have worked.
    func othersWorked() {
        if state != .ended { others.worked() }
    }

    /// Ends the timers when the daemon ends.
    func end() {
        state = .ended
        own.cancel()
        others.cancel()
    }

    private func begin() {
        switch state {
        case .ended, .again: break
        case .trimming: state = .again
        case .idle:
            state = .trimming
            tasks.add {
                await self.trim()
                self.hasTrimmed()
            }
        }
    }

    private func hasTrimmed() {
        let isAgain = state == .again
        if state != .ended { state = .idle }
        if isAgain { own.worked() }
    }
}
