/// One line of a summary: its label, and its place in the tree.
public struct SummaryRule: Hashable, Sendable {
    /// The form of a value in a summary.
    public enum Form: String, CaseIterable, Hashable, Sendable {
        /// The value itself.
        case plain
        /// Seconds as hours and minutes.
        case duration
        /// A date, or seconds since 1970.
        case date
        /// The number of elements.
        case count
    }

    /// The label, such as `score`, `level`, `play time`, `players`, `date`.
    public var label: String
    /// The place; with wildcards, all places that match.
    public var pattern: PathPattern
    /// The form of the value.
    public var form: Form

    /// - Parameters:
    ///   - label: the label, such as `play time`
    ///   - pattern: the place
    ///   - form: the form of the value
    public init(_ label: String, _ pattern: PathPattern, as form: Form = .plain) {
        self.label = label
        self.pattern = pattern
        self.form = form
    }
}
