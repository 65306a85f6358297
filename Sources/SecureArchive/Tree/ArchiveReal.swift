/// A number with a fraction, or what property lists call one: infinity, and what is no number.
/// Programs have been surprised by these, so that only archives can bring them; a program's own are
/// finite.
///
/// There is one “no number” here. It is equal to itself and stands behind all others, so that trees
/// can be compared and sorted whatever is in them.
public struct ArchiveReal: Hashable, Comparable, Sendable {
    /// The number.
    public let value: Double

    /// Nil for what is not finite.
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        self.value = value
    }

    /// Whatever an archive says, or is to say.
    package init(said value: Double) {
        self.value = value.isNaN ? .nan : value
    }

    /// The seconds since 2001, which are finite for every date.
    init(secondsOf date: ArchiveDate) {
        value = date.secondsSince2001
    }

    /// Whether it is a number that can be counted with.
    public var isFinite: Bool { value.isFinite }

    /// Also where both are no number.
    public static func == (left: Self, right: Self) -> Bool {
        left.value == right.value || left.value.isNaN && right.value.isNaN
    }

    /// Equal for 0.0 and -0.0.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value == 0 ? 0 : value.bitPattern)
    }

    /// By size; what is no number comes last.
    public static func < (left: Self, right: Self) -> Bool {
        right.value.isNaN ? !left.value.isNaN : left.value < right.value
    }
}
