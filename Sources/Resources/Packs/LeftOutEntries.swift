/// Entries of a folder that are not sent because they can't be.
public struct LeftOutEntries: Hashable, Sendable {
    /// Their number; entries inside a skipped folder don't count.
    public private(set) var count = 0
    /// The first ten by path.
    public private(set) var first: [String] = []

    private static let limit = 10

    mutating func append(_ path: String) {
        count += 1
        if first.count < Self.limit { first.append(path) }
    }
}
