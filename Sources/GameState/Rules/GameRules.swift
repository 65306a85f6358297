/// What is known about a game's saves: how two become one, and what one says.
public struct GameRules: Sendable, Equatable {
    /// How two changes of the same save become one.
    public var merging = MergeRules()
    /// What a save says, line by line.
    public var summary: [SummaryRule] = []

    /// Nothing is known.
    public init() {}

    /// Those of others go before one's own: their rules win, and where they say what a save says, it says that.
    public mutating func add(_ others: GameRules) {
        merging.add(others.merging)
        if !others.summary.isEmpty { summary = others.summary }
    }
}
