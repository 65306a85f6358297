/// The rules for paths. The last rule for a path counts.
public struct MergeRules: Sendable, Equatable {
    /// The patterns in order.
    public private(set) var patterns: [PathPattern] = []
    /// The rule of each pattern.
    public private(set) var rules: [MergeRule] = []

    /// Creates a value without rules: a change on one side is taken, and all else is a conflict.
    public init() {}

    /// Adds a rule. It counts before all others.
    public mutating func add(_ rule: MergeRule, for pattern: PathPattern) {
        patterns.append(pattern)
        rules.append(rule)
    }

    /// Adds rules. They count before these.
    public mutating func add(_ others: MergeRules) {
        patterns += others.patterns
        rules += others.rules
    }

    /// Returns the rule for a path; nil if there is none for this very path.
    public func rule(for path: StatePath) -> MergeRule? {
        patterns.lastIndex { $0.matches(path) }.map { rules[$0] }
    }
}
