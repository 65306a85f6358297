import LinuxPlatform
import Session

/// A timer for a deadline that changes seldom and is set often.
struct DeadlineTimer {
    private var timer = MachineTimer()
    private var deadline: ContinuousClock.Instant?

    /// Waits for a deadline, unless it does so already.
    @Engine
    mutating func set<Owner: AnyObject & Sendable>(
        for owner: Owner,
        at deadline: ContinuousClock.Instant?,
        _ passed: @escaping @Engine @Sendable (Owner) -> Void
    ) {
        guard deadline != self.deadline else { return }
        self.deadline = deadline
        timer.set(for: owner, at: deadline, passed)
    }

    /// Notes that the deadline has come, perhaps a moment too early. The next one counts, even if it is the same.
    mutating func passed() { deadline = nil }
}
