/// The untracked entries of a folder from the last scan.
public struct LeftOutFiles: Hashable, Sendable {
    /// The first hundred of them.
    public let first: [LeftOut]
    /// The number of all.
    public let count: Int

    /// - Parameters:
    ///   - first: the first hundred of them
    ///   - count: the number of all
    public init(_ first: [LeftOut] = [], count: Int = 0) {
        (self.first, self.count) = (first, count)
    }
}
