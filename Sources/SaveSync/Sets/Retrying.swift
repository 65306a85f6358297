import LinuxPlatform

/// What did not work is tried again after growing waits, for the reason may have gone without anybody being told: a full disk has
/// room, a program has let go. While all works nothing ticks.
@Engine
final class Retrying {
    private static let bounds = (first: Duration.milliseconds(500), last: Duration.seconds(120))

    private var pause = bounds.first
    private var timer: ScheduledTimer?
    private var hasEnded = false
    private let attempt: @Engine @Sendable () -> Void

    init(_ attempt: @escaping @Engine @Sendable () -> Void) { self.attempt = attempt }

    /// It did not work: a while later it is tried again.
    func later() {
        guard !hasEnded, timer == nil else { return }
        timer = Engine.schedule(at: .current + pause) { [weak self] in
            self?.timer = nil
            self?.attempt()
        }
        pause = min(pause * 2, Self.bounds.last)
    }

    /// It has worked.
    func worked() {
        cancel()
        pause = Self.bounds.first
    }

    /// Nothing is tried any more.
    func end() {
        hasEnded = true
        cancel()
    }

    private func cancel() {
        timer?.cancel()
        timer = nil
    }
}
