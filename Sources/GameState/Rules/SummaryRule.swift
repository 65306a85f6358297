/// One line of what a save says: its label, and where in the tree it stands.
public struct SummaryRule: Hashable, Sendable {
    /// How a value is told.
    public enum Form: String, CaseIterable, Hashable, Sendable {
        /// As what it is.
        case plain
        /// Seconds as hours and minutes.
        case duration
        /// A date, or seconds since 1970.
        case date
        /// How many there are.
        case count
    }

    /// Such as `score`, `level`, `play time`, `players`, `date`.
    public var label: String
    /// Where it stands; with wildcards, all that stand there.
    public var pattern: PathPattern
    /// How it is told.
    public var form: Form

    /// - Parameters:
    ///   - label: such as `play time`
    ///   - pattern: where it stands
    ///   - form: how it is told
    public init(_ label: String, _ pattern: PathPattern, as form: Form = .plain) {
        self.label = label
        self.pattern = pattern
        self.form = form
    }
}
