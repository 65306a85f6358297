/// A finite number with a fraction. Not-a-number and infinity are refused: printing or comparing them has surprised every program
/// that let them in.
public struct ArchiveReal: Hashable, Comparable, Sendable {
    /// The number.
    public let value: Double

    /// Nil for what is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.value = value
    }

    /// The seconds since 2001, which are finite for every date.
    init(secondsOf date: ArchiveDate) {
        value = date.secondsSince2001
    }

    /// By size.
    public static func < (left: Self, right: Self) -> Bool {
        left.value < right.value
    }
}
