/// Versions that this machine has signed and does not know: it lost its state, or was put back to an earlier one, or another machine
/// has its key.
public struct Recollection: Hashable, Sendable {
    /// How many of them have come.
    public let count: Int
    /// True if this machine has made another version under the number of one of them. Then neither holds the other, and both stay.
    public let usesNumbersTwice: Bool
}
