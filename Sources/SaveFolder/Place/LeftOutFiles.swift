/// The entries of a folder that no set can have, from the last scan.
public struct LeftOutFiles: Hashable, Sendable {
    /// The first hundred.
    public let first: [LeftOut]
    /// Their number.
    public let count: Int

    /// - Parameters:
    ///   - first: the first hundred
    ///   - count: their number
    public init(_ first: [LeftOut] = [], count: Int = 0) {
        (self.first, self.count) = (first, count)
    }
}
