package import LinuxPlatform

/// The timer of a state machine. A new deadline replaces the old one.
@Engine
package struct MachineTimer {
    private var timer: ScheduledTimer?

    /// Creates a timer without a deadline.
    package nonisolated init() {}

    /// - Parameters:
    ///   - deadline: the moment; nil for none
    ///   - passed: called at that moment, if the owner still exists
    package mutating func set<Owner: AnyObject & Sendable>(
        for owner: Owner,
        at deadline: ContinuousClock.Instant?,
        _ passed: @escaping @Engine @Sendable (Owner) -> Void
    ) {
        cancel()
        timer = deadline.map { deadline in
            Engine.schedule(at: deadline) { [weak owner] in
                if let owner { passed(owner) }
            }
        }
    }

    package mutating func cancel() {
        timer?.cancel()
        timer = nil
    }
}
