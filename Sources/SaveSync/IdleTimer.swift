import LinuxPlatform

/// Does something once there has been nothing to do for a while. While nothing happens nothing ticks.
@Engine
final class IdleTimer {
    private let quiet: Duration
    private let patience: Duration
    private let rest: @Engine @Sendable () -> Void

    private var timer: ScheduledTimer?
    private var lastWork = ContinuousClock.Instant.current
    /// When there was first something to do since the last rest.
    private var firstWork: ContinuousClock.Instant?

    /// - Parameters:
    ///   - quiet: for how long there has to be nothing to do
    ///   - patience: after which time it is done although there is something to do again and again
    init(after quiet: Duration, within patience: Duration, _ rest: @escaping @Engine @Sendable () -> Void) {
        (self.quiet, self.patience, self.rest) = (quiet, patience, rest)
    }

    /// There was something to do.
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
