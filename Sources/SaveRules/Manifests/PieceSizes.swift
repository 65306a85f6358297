/// The sizes of pieces that are cut by content. They are part of the format: machines that cut in the same way have
/// pieces in common.
public struct PieceSizes: Hashable, Sendable {
    /// The size up to which content is not cut.
    public let wholeUpTo: Int
    /// The smallest size of a piece, except for the last.
    public let minimum: Int
    /// The average size of a piece of random content.
    public let average: Int
    /// The largest size of a piece.
    public let maximum: Int

    private init(average: Int, wholeUpTo: Int) {
        (minimum, self.average, maximum) = (average / 4, average, average * 4)
        self.wholeUpTo = wholeUpTo
    }

    /// Creates the sizes for a file: 64 KiB on average. From 1 GiB on, the average grows up to 1 MiB, so that a file
    /// has about 16,384 pieces.
    public init(forFileOf size: UInt64) {
        var average = 64 << 10
        while average < 1 << 20, size > UInt64(average) << 14 { average *= 2 }
        self.init(average: average, wholeUpTo: 256 << 10)
    }

    /// The sizes for a manifest. They are small, because a new version usually changes a line or two of it.
    public static let manifest = PieceSizes(average: 16 << 10, wholeUpTo: 64 << 10)
}
