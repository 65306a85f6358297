/// A number with a fraction, or one of the reals of property lists beyond numbers: infinity and NaN. Programs don't
/// expect these, so only archives can have them; a program's own reals are finite.
///
/// There is one NaN here. It equals itself and sorts behind all others, so that any trees can be compared and sorted.
public struct ArchiveReal: Hashable, Comparable, Sendable {
    /// The number.
    public let value: Double

    /// The real; nil for infinity and NaN.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.value = value
    }

    /// Any real that an archive has, or is to have.
    package init(said value: Double) {
        self.value = value.isNaN ? .nan : value
    }

    /// The seconds since 2001, which are finite for every date.
    init(secondsOf date: ArchiveDate) {
        value = date.secondsSince2001
    }

    /// False for infinity and NaN.
    public var isFinite: Bool { value.isFinite }

    /// Compares by value; NaN equals NaN.
    public static func == (left: Self, right: Self) -> Bool {
        left.value == right.value || left.value.isNaN && right.value.isNaN
    }

    /// Equal for 0.0 and -0.0.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value == 0 ? 0 : value.bitPattern)
    }

    /// Compares by size; NaN comes last.
    public static func < (left: Self, right: Self) -> Bool {
        right.value.isNaN ? !left.value.isNaN : left.value < right.value
    }
}
