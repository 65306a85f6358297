/// Which rule is for which paths. Where several are for one path, the last is.
public struct MergeRules: Sendable, Equatable {
    /// In order.
    public private(set) var patterns: [PathPattern] = []
    /// One for each pattern.
    public private(set) var rules: [MergeRule] = []

    /// No rules: what one side alone has changed is taken, and everything else is for a person to choose from.
    public init() {}

    /// Adds a rule that goes before all others.
    public mutating func add(_ rule: MergeRule, for pattern: PathPattern) {
        patterns.append(pattern)
        rules.append(rule)
    }

    /// Those of others go before one's own.
    public mutating func add(_ others: MergeRules) {
        patterns += others.patterns
        rules += others.rules
    }

    /// The rule for a path, if there is one for this very path.
    public func rule(for path: StatePath) -> MergeRule? {
        patterns.lastIndex { $0.matches(path) }.map { rules[$0] }
    }
}
