import Synchronization

/// Decides once whether what was received gets its name. Whoever is first decides: the thread that is about to give it the
/// name, or who wants it no more.
final class Naming: Sendable {
    private let isDecided = Mutex(false)
    /// Told before and after the thread that names decides, so that a test can make either be first.
    private let reached: @Sendable (Moment) -> Void

    enum Moment {
        case aboutToDecide
        case decided
    }

    init(reached: @escaping @Sendable (Moment) -> Void = { _ in }) {
        self.reached = reached
    }

    /// Whether the caller is the first, and has decided.
    func decide() -> Bool {
        isDecided.withLock { isDecided in
            defer { isDecided = true }
            return !isDecided
        }
    }

    /// The same for the thread that names.
    func mayName() -> Bool {
        reached(.aboutToDecide)
        defer { reached(.decided) }
        return decide()
    }
}
