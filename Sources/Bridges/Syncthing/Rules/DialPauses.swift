/// The pauses between attempts to connect to a device.
///
/// Each is about a third of the time since the last connection, so a device that was away for ten seconds is dialled
/// within three. A device whose connections end at once, such as one with other settings, is dialled less and less
/// often, too.
struct DialPauses: Hashable, Sendable {
    private var pause = Self.first

    private static let first = Duration.seconds(1)
    private static let last = Duration.seconds(60)
    private static let growth = 1.3
    /// The time after which a connection counts as good.
    private static let steadyTime = Duration.seconds(10)

    /// The pause before the next attempt.
    mutating func next() -> Duration {
        defer { pause = min(pause * Self.growth, Self.last) }
        return pause
    }

    /// Notes the end of a connection.
    mutating func connectionEnded(after time: Duration) {
        if time >= Self.steadyTime { self = DialPauses() }
    }
}
