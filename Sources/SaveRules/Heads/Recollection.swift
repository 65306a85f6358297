/// Versions that this machine has signed and does not know. It lost its state or was set back to an earlier one, or
/// another machine has its key.
public struct Recollection: Hashable, Sendable {
    /// The number of such versions that have come.
    public let count: Int
    /// True if this machine has made another version with the same counter. Then neither includes the other, and both
    /// stay.
    public let usesNumbersTwice: Bool
}
