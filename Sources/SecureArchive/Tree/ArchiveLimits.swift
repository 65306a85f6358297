/// How much of somebody else's archive is read. Whatever exceeds a limit is refused before memory or time is spent on it.
public struct ArchiveLimits: Sendable, Hashable {
    /// Deeper than this nothing is read or written, whatever the limit: whoever walks a tree, or lets go of it, may do so by recursion on the small
    /// stack of a thread.
    public static let deepest = 128

    /// Of the archive itself.
    public var bytes = 64 << 20
    /// How many collections and objects may stand in each other; never more than ``deepest``.
    public var depth = 64
    /// How many values there may be, keys included.
    public var values = 1_000_000
    /// What all values would take up if those that are shared were written out at each place: their text and data, and 8 bytes for each value.
    public var expandedBytes = 256 << 20
    /// Of one text or one key, in UTF-8.
    public var stringBytes = 16 << 20
    /// What reading may take up in memory beyond the archive's own size, which may be less than nothing. Together they are what is read may take
    /// up beside the archive's bytes. It is an estimate by what Swift's collections are known to take.
    public var memoryBeyondArchive = 32 << 20

    /// What is right for a file of game state.
    public init() {}

    /// The limit that holds: ``depth``, or ``deepest`` where that is less.
    var depthInForce: Int { min(depth, Self.deepest) }
}
