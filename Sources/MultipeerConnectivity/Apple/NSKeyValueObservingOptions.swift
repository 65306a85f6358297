/// Options of an observation, as in Foundation on Apple's systems.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// Apple's bits.
    public let rawValue: UInt

    /// - Parameter rawValue: a sum of Apple's bits
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// Report the new value.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// Report the previous value.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// Report the present value at once, before any change.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Report before each change, too. Without effect: this module learns of a change only after it has happened.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
