package import LinuxPlatform

/// The moment that a machine waits for. There is one at a time: what is set takes the place of what was.
@Engine
package struct MachineTimer {
    private var timer: ScheduledTimer?

    /// Nothing is waited for.
    package nonisolated init() {}

    /// - Parameters:
    ///   - deadline: nil where the machine waits for no moment
    ///   - passed: what its owner does then, if it is still there
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
