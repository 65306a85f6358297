/// How large the pieces are that something is cut into by its contents. The sizes are part of the format: machines that cut
/// alike have pieces in common.
public struct PieceSizes: Hashable, Sendable {
    /// Contents up to this size stay whole.
    public let wholeUpTo: Int
    /// The least a piece has, but for the last.
    public let minimum: Int
    /// The average size of a piece of random contents.
    public let average: Int
    /// The most a piece has.
    public let maximum: Int

    private init(average: Int, wholeUpTo: Int) {
        (minimum, self.average, maximum) = (average / 4, average, average * 4)
        self.wholeUpTo = wholeUpTo
    }

    /// The pieces of a file: 64 KiB on average, and from 1 GiB on as much larger as keeps a file at about 16,384 pieces,
    /// up to 1 MiB.
    public init(forFileOf size: UInt64) {
        var average = 64 << 10
        while average < 1 << 20, size > UInt64(average) << 14 { average *= 2 }
        self.init(average: average, wholeUpTo: 256 << 10)
    }

    /// The pieces of a manifest: small ones, because a new snapshot usually changes a line or two of it.
    public static let manifest = PieceSizes(average: 16 << 10, wholeUpTo: 64 << 10)
}
