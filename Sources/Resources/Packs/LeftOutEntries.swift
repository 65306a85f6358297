/// What of a folder is not sent, because it can't be.
public struct LeftOutEntries: Hashable, Sendable {
    /// How many there are; what lies in a folder that is left out does not count.
    public private(set) var count = 0
    /// The first of them, by path.
    public private(set) var first: [String] = []

    /// How many paths are kept.
    private static let limit = 10

    mutating func append(_ path: String) {
        count += 1
        if first.count < Self.limit { first.append(path) }
    }
}
