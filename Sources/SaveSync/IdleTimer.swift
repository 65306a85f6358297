import LinuxPlatform

/// Runs an action after a time without work. While there is no work, no timer runs.
@Engine
final class IdleTimer {
    private let quiet: Duration
    private let patience: Duration
    private let rest: @Engine @Sendable () -> Void

    private var timer: ScheduledTimer?
    private var lastWork = ContinuousClock.Instant.current
    /// The time of the first work since the last action.
    private var firstWork: ContinuousClock.Instant?

    /// - Parameters:
    ///   - quiet: the time without work before the action runs
    ///   - patience: the time after which the action runs even if there is work again and again
    init(after quiet: Duration, within patience: Duration, _ rest: @escaping @Engine @Sendable () -> Void) {
        (self.quiet, self.patience, self.rest) = (quiet, patience, rest)
    }

    /// Notes that there was work.
    func worked() {
        lastWork = .current
        if firstWork == nil { firstWork = lastWork }
        if timer == nil { wait() }
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private var end: ContinuousClock.Instant {
        min(lastWork + quiet, (firstWork ?? lastWork) + patience)
    }

    private func wait() { timer = Engine.schedule(at: end) { [weak self] in self?.look() } }

    private func look() {
        timer = nil
        guard end <= .current else { return wait() }
        firstWork = nil
        rest()
    }
}
