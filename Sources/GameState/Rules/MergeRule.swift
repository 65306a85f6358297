/// How two changes of the same place become one.
public indirect enum MergeRule: Hashable, Sendable {
    /// The larger number or the later date.
    case max
    /// The smaller number or the earlier date.
    case min
    /// What both have added to a number, together.
    case sumOfChanges
    /// The later of two dates; of two dictionaries the one in which the date at this path is later.
    case newest(by: StatePath?)
    /// What either list has.
    case union(UnionRule)
    /// What is here, always.
    case keepMine
    /// What is there, always.
    case keepTheirs
    /// One whole: a change on one side is taken, two are for a person to choose from.
    case ask
}

/// How two lists become one.
public struct UnionRule: Hashable, Sendable {
    /// Where an element says which one it is, seen from the element; nil where elements are the same only if they are equal.
    public var key: StatePath?
    /// What becomes of an element that both have; nil for the ordinary way.
    public var elements: MergeRule?
    /// By what the list is sorted afterwards, seen from an element; nil for the order it had, and new elements behind it in the order of
    /// their keys.
    public var sortedBy: StatePath?
    /// Whether it is sorted from the largest to the smallest.
    public var isDescending = false

    /// Elements that are equal are the same.
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
    /// As it is written in a file of rules.
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

    /// Whether it comes to the same whichever side is which.
    public var isCommutative: Bool {
        switch self {
        case .max, .min, .sumOfChanges, .newest, .ask: true
        case .union(let rule): rule.elements?.isCommutative ?? true
        case .keepMine, .keepTheirs: false
        }
    }

    /// Whether it counts from what both sides had in common, so that it is wrong wherever that is not known.
    public var countsFromBase: Bool {
        switch self {
        case .sumOfChanges: true
        case .union(let rule): rule.elements?.countsFromBase ?? false
        case .max, .min, .newest, .keepMine, .keepTheirs, .ask: false
        }
    }

    /// Whether three versions come to the same in whatever order they meet, and a version that meets itself stays what it is.
    public var isJoin: Bool {
        switch self {
        case .max, .min, .newest(nil): true
        case .union(let rule): rule.elements?.isJoin ?? (rule.key == nil)
        case .newest, .sumOfChanges, .keepMine, .keepTheirs, .ask: false
        }
    }
}

extension UnionRule: CustomStringConvertible {
    /// As it is written in a file of rules.
    public var description: String {
        var words = "union"
        if let key { words += " by \(key)" }
        if let elements { words += " with \(elements)" }
        if let sortedBy { words += " sorted by \(sortedBy)" }
        if isDescending { words += " descending" }
        return words
    }
}
