/// The limit on statements of one machine, for machines that repeat or invent statements without end.
///
/// A household of 64 machines has a few hundred statements, and each machine sends them once for each connection.
public struct StatementAllowance: Hashable, Sendable {
    /// The largest number of statements that may come at once.
    public static let most = 16_384
    /// The time after which one more may come.
    public static let pause = Duration.milliseconds(250)

    private var left = Self.most
    private var counted: ContinuousClock.Instant

    /// - Parameter now: the present time
    public init(at now: ContinuousClock.Instant) { counted = now }

    /// Counts statements that came.
    /// - Returns: false if they are too many
    public mutating func take(_ count: Int, at now: ContinuousClock.Instant) -> Bool {
        let grown = Int(max((now - counted) / Self.pause, 0))
        if grown > 0 {
            left = min(Self.most, left + min(grown, Self.most))
            counted = now
        }
        guard count <= left else { return false }
        left -= count
        return true
    }
}
