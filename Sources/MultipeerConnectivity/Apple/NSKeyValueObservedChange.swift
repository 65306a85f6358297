public import Foundation

/// Kind of a change of a property, as in Foundation on Apple's systems.
public enum NSKeyValueChange: UInt, Sendable {
    /// A new value; the only kind that occurs here.
    case setting = 1
    /// An insertion into a collection.
    case insertion = 2
    /// A removal from a collection.
    case removal = 3
    /// A replacement in a collection.
    case replacement = 4
}

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
    /// Kind of the change.
    public typealias Kind = NSKeyValueChange

    /// Always ``NSKeyValueChange/setting``.
    public let kind: Kind
    /// The new value, if ``NSKeyValueObservingOptions/new`` requests it.
    public let newValue: Value?
    /// The previous value, if ``NSKeyValueObservingOptions/old`` requests it.
    public let oldValue: Value?
    /// Always nil; Apple uses it for collections.
    public let indexes: IndexSet?
    /// Always false.
    public let isPrior: Bool

    init(from old: Value?, to new: Value?) {
        (kind, newValue, oldValue, indexes, isPrior) = (.setting, new, old, nil, false)
    }
}

extension NSKeyValueObservedChange: Sendable where Value: Sendable {}
