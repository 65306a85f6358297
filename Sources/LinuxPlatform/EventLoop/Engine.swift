/// The actor for state that many parts share: links, sessions, sets and command output. It runs on one loop's thread
/// only, so these parts call each other without waiting and never see each other half changed.
@globalActor
public actor Engine {
    /// The only instance.
    public static let shared = Engine()

    /// The loop that runs the program's sockets and timers.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.loop.asUnownedSerialExecutor() }

    package static var loop: EventLoop { .shared }

    /// Runs the work of a timer or a handler that is already on the engine's loop, without a hop.
    package nonisolated static func assumeIsolated(_ work: @Engine () -> Void) {
        loop.checkIsolated()
        withoutActuallyEscaping(work) { work in
            // because the check above proves what the type says: this is how the standard library's MainActor does it
            unsafeBitCast(work, to: (() -> Void).self)()
        }
    }

    /// Runs work on the engine at a deadline.
    package nonisolated static func schedule(
        at deadline: ContinuousClock.Instant,
        _ work: @escaping @Engine @Sendable () -> Void
    ) -> ScheduledTimer {
        loop.schedule(at: deadline) { @Sendable in assumeIsolated(work) }
    }
}
