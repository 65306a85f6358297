/// Optional abilities of a peer, beyond those that its version requires. None is defined yet.
public struct WireFeatures: OptionSet, Hashable, Sendable {
    /// The set with one bit for each ability.
    public let rawValue: UInt64

    /// - Parameter rawValue: the bits; unknown ones are kept and have no effect
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
