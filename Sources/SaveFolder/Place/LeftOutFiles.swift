/// What in a set's folder can't be part of any set, as it was seen last.
public struct LeftOutFiles: Hashable, Sendable {
    /// The first hundred.
    public let first: [LeftOut]
    /// How many there are.
    public let count: Int

    /// - Parameters:
    ///   - first: the first hundred
    ///   - count: how many there are
    public init(_ first: [LeftOut] = [], count: Int = 0) {
        (self.first, self.count) = (first, count)
    }
}
