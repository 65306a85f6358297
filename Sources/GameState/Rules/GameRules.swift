/// The rules for a game's saves: for merging two, and for the summary of one.
public struct GameRules: Sendable, Equatable {
    /// The rules for merging.
    public var merging = MergeRules()
    /// The lines of the summary.
    public var summary: [SummaryRule] = []

    /// No rules.
    public init() {}

    /// Adds rules that win over these. If they have a summary, it replaces the present one.
    public mutating func add(_ others: GameRules) {
        merging.add(others.merging)
        if !others.summary.isEmpty { summary = others.summary }
    }
}
