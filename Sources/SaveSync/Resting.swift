import LinuxPlatform
import Session

/// Does something once there has been nothing to do for a while. While nothing happens nothing ticks.
@Engine
final class Resting {
    private var timer: ScheduledTimer?
    private var end = ContinuousClock.now
    private let rest: @Engine @Sendable () -> Void

    init(_ rest: @escaping @Engine @Sendable () -> Void) { self.rest = rest }

    /// There was something to do.
    /// - Parameter quiet: for how long there has to be nothing now
    func worked(quiet: Duration = .seconds(1)) {
        end = max(end, .now + quiet)
        if timer == nil { wait() }
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private func wait() {
        timer = Engine.schedule(at: end) { [weak self] in self?.look() }
    }

    private func look() {
        timer = nil
        if .now < end { wait() } else { rest() }
    }
}
