/// The limits for reading an archive from a stranger. The reader refuses everything beyond a limit before it spends
/// memory or time on it.
public struct ArchiveLimits: Sendable, Hashable {
    /// The greatest depth for reading and writing, with any limit: code may walk over a tree or release it by
    /// recursion, on the small stack of a thread.
    public static let deepest = 128

    /// The size of the archive itself.
    public var bytes = 64 << 20
    /// The count of collections and objects within each other; never more than ``deepest``.
    public var depth = 64
    /// The count of values, keys included.
    public var values = 1_000_000
    /// The size of all values if each place had its own: their text and data, and 8 bytes for each value.
    public var expandedBytes = 256 << 20
    /// The size of one text or one key, in UTF-8.
    public var stringBytes = 16 << 20
    /// The memory for reading beyond the archive's own size; it may be negative. The sum of both limits the values in
    /// memory, beside the archive's bytes. It is an estimate from the sizes of Swift's collections.
    public var memoryBeyondArchive = 32 << 20

    /// Limits for a file of game state.
    public init() {}

    /// The limit that applies: ``depth``, or ``deepest`` if that is less.
    var depthInForce: Int { min(depth, Self.deepest) }
}
