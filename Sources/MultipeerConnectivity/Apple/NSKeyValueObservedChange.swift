public import Foundation

/// What has happened to a property, as Foundation on Apple's systems has it.
public enum NSKeyValueChange: UInt, Sendable {
    /// It has a new value: what happens to those that can be observed here.
    case setting = 1
    /// Something was put into a collection.
    case insertion = 2
    /// Something was taken out of a collection.
    case removal = 3
    /// Something in a collection was replaced.
    case replacement = 4
}

/// One change of a property that is observed.
public struct NSKeyValueObservedChange<Value> {
    /// What has happened to a property.
    public typealias Kind = NSKeyValueChange

    /// Always ``NSKeyValueChange/setting``.
    public let kind: Kind
    /// The value from now on, where ``NSKeyValueObservingOptions/new`` asks for it.
    public let newValue: Value?
    /// The value that was, where ``NSKeyValueObservingOptions/old`` asks for it.
    public let oldValue: Value?
    /// For collections: nil.
    public let indexes: IndexSet?
    /// Always false.
    public let isPrior: Bool

    init(from old: Value?, to new: Value?) {
        (kind, newValue, oldValue, indexes, isPrior) = (.setting, new, old, nil, false)
    }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
