/// When something that failed is tried again: after waits that grow, because its cause may go without notice. A full disk has room, or a program
/// closes a file. While everything works no timer runs.
public struct Backoff: Hashable, Sendable {
    private static let bounds = (first: Duration.milliseconds(500), last: Duration.seconds(120))

    /// When to try again; nil if nothing is to be tried.
    public private(set) var due: ContinuousClock.Instant?
    private var pause = bounds.first

    /// Nothing has failed yet.
    public init() {}

    /// It failed. A retry that is already planned stays as it is.
    public mutating func failed(at now: ContinuousClock.Instant) {
        guard due == nil else { return }
        due = now + pause
        pause = min(pause * 2, Self.bounds.last)
    }

    /// It worked, so that the next failure waits for the shortest time.
    public mutating func worked() { self = Backoff() }

    /// True if it is to be tried now. The answer is yes once for each retry.
    public mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        return true
    }
}
