/// A rule that merges two changes at one place.
public indirect enum MergeRule: Hashable, Sendable {
    /// The larger number or the later date.
    case max
    /// The smaller number or the earlier date.
    case min
    /// The sum of the changes of both sides to a number.
    case sumOfChanges
    /// The later of two dates. Of two dictionaries, the one with the later date at this path.
    case newest(by: StatePath?)
    /// The elements of both lists.
    case union(UnionRule)
    /// Always the value of this side.
    case keepMine
    /// Always the value of the other side.
    case keepTheirs
    /// No merge inside the value: a change on one side is taken, and two changes are a conflict.
    case ask
}

/// A rule that merges two lists.
public struct UnionRule: Hashable, Sendable {
    /// The path from an element to its key; nil if only equal elements are the same.
    public var key: StatePath?
    /// The rule for an element that both lists have; nil for the default.
    public var elements: MergeRule?
    /// The path from an element to the value for sorting. Nil keeps the old order; new elements follow in the order of
    /// their keys.
    public var sortedBy: StatePath?
    /// True to sort from the largest to the smallest.
    public var isDescending = false

    /// Creates a rule for lists in which equal elements are the same.
    public init(
        key: StatePath? = nil,
        elements: MergeRule? = nil,
        sortedBy: StatePath? = nil,
        isDescending: Bool = false
    ) {
        self.key = key
        self.elements = elements
        self.sortedBy = sortedBy
        self.isDescending = isDescending
    }
}

extension MergeRule: CustomStringConvertible {
    /// The rule as a file of rules has it.
    public var description: String {
        switch self {
        case .max: "max"
        case .min: "min"
        case .sumOfChanges: "sum of changes"
        case .newest(nil): "newest"
        case .newest(let path?): "newest by \(path)"
        case .union(let rule): rule.description
        case .keepMine: "keep mine"
        case .keepTheirs: "keep theirs"
        case .ask: "ask"
        }
    }

    /// True if the result stays the same when the sides are swapped.
    public var isCommutative: Bool {
        switch self {
        case .max, .min, .sumOfChanges, .newest, .ask: true
        case .union(let rule): rule.elements?.isCommutative ?? true
        case .keepMine, .keepTheirs: false
        }
    }

    /// True if the rule counts from the common version, so that it needs one.
    public var countsFromBase: Bool {
        switch self {
        case .sumOfChanges: true
        case .union(let rule): rule.elements?.countsFromBase ?? false
        case .max, .min, .newest, .keepMine, .keepTheirs, .ask: false
        }
    }

    /// True if three versions give the same result in any order, and a version merged with itself does not change.
    public var isJoin: Bool {
        switch self {
        case .max, .min, .newest(nil): true
        case .union(let rule): rule.elements?.isJoin ?? (rule.key == nil)
        case .newest, .sumOfChanges, .keepMine, .keepTheirs, .ask: false
        }
    }
}

extension UnionRule: CustomStringConvertible {
    /// The rule as a file of rules has it.
    public var description: String {
        var words = "union"
        if let key { words += " by \(key)" }
        if let elements { words += " with \(elements)" }
        if let sortedBy { words += " sorted by \(sortedBy)" }
        if isDescending { words += " descending" }
        return words
    }
}
