/// What an observer of a property wants to be told, as Foundation on Apple's systems has it.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    /// Apple's numbers.
    public let rawValue: UInt

    /// - Parameter rawValue: a sum of Apple's numbers
    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The value from now on.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The value that was.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// At once, before anything has changed.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
    /// Before each change too. Nobody knows of a change here before it has happened, so this says nothing.
    public static let prior = NSKeyValueObservingOptions(rawValue: 8)
}
