/// What a peer can do beyond the minimum of its version. None is defined yet.
public struct WireFeatures: OptionSet, Hashable, Sendable {
    /// One bit for each.
    public let rawValue: UInt64

    /// - Parameter rawValue: bits that are not known here are kept and mean nothing
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }
}
