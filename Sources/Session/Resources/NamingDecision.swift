import Synchronization

/// Decides once if a received file gets its name. The first caller decides: the thread that is about to give the name,
/// or the side that cancels.
final class NamingDecision: Sendable {
    private let isDecided = Mutex(false)
    /// Called before and after the naming thread decides, so that a test can make either caller the first.
    private let reached: @Sendable (Moment) -> Void

    enum Moment {
        case aboutToDecide
        case decided
    }

    init(reached: @escaping @Sendable (Moment) -> Void = { _ in }) {
        self.reached = reached
    }

    /// Decides. Returns true for the first caller.
    func decide() -> Bool {
        isDecided.withLock { isDecided in
            defer { isDecided = true }
            return !isDecided
        }
    }

    /// Decides for the thread that gives the name.
    func decideForName() -> Bool {
        reached(.aboutToDecide)
        defer { reached(.decided) }
        return decide()
    }
}
