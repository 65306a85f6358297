/// The time to retry something that failed, after growing waits. The cause may end without notice: a full disk gets
/// room, or a program closes a file. While everything works, no timer runs.
public struct Backoff: Hashable, Sendable {
    private static let bounds = (first: Duration.milliseconds(500), last: Duration.seconds(120))

    /// The time of the retry; nil if none is planned.
    public private(set) var due: ContinuousClock.Instant?
    private var pause = bounds.first

    /// Creates a value without failures.
    public init() {}

    /// Notes a failure. A retry that is already planned stays as it is.
    public mutating func failed(at now: ContinuousClock.Instant) {
        guard due == nil else { return }
        due = now + pause
        pause = min(pause * 2, Self.bounds.last)
    }

    /// Notes a success, so that the next failure waits for the shortest time.
    public mutating func worked() { self = Backoff() }

    /// True if it is time to retry. It is true once for each retry.
    public mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard let due, due <= now else { return false }
        self.due = nil
        return true
    }
}
