/// The rules for a game's saves: those for merges, and those for a summary.
public struct GameRules: Sendable, Equatable {
    /// The rules for merging.
    public var merging = MergeRules()
    /// The lines of the summary.
    public var summary: [SummaryRule] = []

    /// Creates a value without rules.
    public init() {}

    /// Adds rules that count before these. If they have a summary, it replaces the present one.
    public mutating func add(_ others: GameRules) {
        merging.add(others.merging)
        if !others.summary.isEmpty { summary = others.summary }
    }
}
