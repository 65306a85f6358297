/// Where state lives that many parts share: links, sessions, sets and what a command is told are touched on one loop's
/// thread and nowhere else, so that they call each other without waiting and never see each other half changed.
@globalActor
public actor Engine {
    /// The one there is.
    public static let shared = Engine()

    /// The loop that the program's own sockets and timers live on.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { Self.loop.asUnownedSerialExecutor() }

    package static var loop: EventLoop { .shared }

    /// Runs what a timer or a handler on the engine's loop wants done, without a hop.
    package nonisolated static func assumeIsolated(_ work: @Engine () -> Void) {
        loop.checkIsolated()
        withoutActuallyEscaping(work) { work in
            // because the check above proves what the type says: this is how the standard library's MainActor does it
            unsafeBitCast(work, to: (() -> Void).self)()
        }
    }

    /// Does something on the engine when the time has come.
    package nonisolated static func schedule(
        at deadline: ContinuousClock.Instant,
        _ work: @escaping @Engine @Sendable () -> Void
    ) -> ScheduledTimer {
        loop.schedule(at: deadline) { @Sendable in assumeIsolated(work) }
    }
}
