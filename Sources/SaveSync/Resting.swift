import LinuxPlatform
import Session

/// Does something once there has been nothing to do for a while. While nothing happens nothing ticks.
@Engine
final class Resting {
    private static let quiet = Duration.seconds(1)

    private var timer: ScheduledTimer?
    private var lastWork = ContinuousClock.now
    private let rest: @Engine @Sendable () -> Void

    init(_ rest: @escaping @Engine @Sendable () -> Void) { self.rest = rest }

    /// There was something to do.
    func worked() {
        lastWork = .now
        if timer == nil { wait(until: lastWork + Self.quiet) }
    }

    func cancel() {
        timer?.cancel()
        timer = nil
    }

    private func wait(until time: ContinuousClock.Instant) {
        timer = Engine.schedule(at: time) { [weak self] in self?.look() }
    }

    private func look() {
        timer = nil
        let end = lastWork + Self.quiet
        if .now < end { wait(until: end) } else { rest() }
    }
}
