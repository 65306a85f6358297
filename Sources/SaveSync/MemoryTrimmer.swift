import LinuxPlatform
import Session

/// Gives memory back after work. Much work takes much memory, which nothing needs afterwards.
@Engine
final class MemoryTrimmer {
    private let trim: @Engine @Sendable () async -> Void
    private let crew: Crew
    private lazy var own = IdleTimer(after: .seconds(1), within: .seconds(60)) { [weak self] in self?.begin() }
    /// A game may send something every second, and to give memory back takes milliseconds.
    private lazy var others = IdleTimer(after: .seconds(5), within: .seconds(60)) { [weak self] in self?.begin() }
    private var state = State.idle

    private enum State {
        case idle, trimming
        /// There was more work meanwhile.
        case again
        case ended
    }

    /// - Parameter trim: gives memory back; where a disk gives no answer, this takes as long as the disk does
    init(_ crew: Crew, _ trim: @escaping @Engine @Sendable () async -> Void) { (self.crew, self.trim) = (crew, trim) }

    /// There was something to do.
    func worked() { own.worked() }

    /// Others in this program had something to do.
    func othersWorked() {
        if state != .ended { others.worked() }
    }

    /// The program ends.
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
            crew.add {
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
