public import Vocabulary

/// Everything that a save set holds at one moment: its files, folders and links, in the order of their paths.
///
/// It can't be built wrongly: an entry in a folder has that folder before it, no path comes twice, and no link leads
/// out. The set's own folder is not in it; its name, its place and its mode are each machine's own.
public struct Manifest: Hashable, Sendable {
    /// How many entries there may be.
    public static let maximumEntryCount = 1_000_000
    /// How many pieces all files may have together.
    public static let maximumPieceCount = 4_000_000
    /// How long its canonical encoding may be: enough for 64 GiB in pieces of the usual size, and what makes of it in
    /// memory fits a small machine.
    public static let maximumByteCount = 48 << 20

    /// A set that holds nothing.
    public static let empty = Manifest(known: [])

    /// In the order of their paths.
    public let entries: [ManifestEntry]

    /// - Parameter entries: in the order of their paths, each folder before what is in it
    public init(_ entries: [ManifestEntry]) throws(SaveFormatError) {
        var check = ManifestCheck()
        for entry in entries {
            do throws(SaveFormatError.Fault) { try check.take(entry) } catch { throw SaveFormatError(error) }
        }
        self.entries = entries
    }

    /// - Parameter entries: in any order
    public init(sorting entries: some Sequence<ManifestEntry>) throws(SaveFormatError) {
        try self.init(entries.sorted { $0.path < $1.path })
    }

    init(known entries: [ManifestEntry]) {
        self.entries = entries
    }

    /// The entry at a path.
    public subscript(path: SavePath) -> ManifestEntry? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low < entries.count && entries[low].path == path ? entries[low] : nil
    }

    /// Every piece of every file, as often as it occurs.
    public var pieces: some Sequence<PieceReference> {
        entries.lazy.flatMap { $0.file?.pieces ?? [] }
    }

    /// How many bytes all files have together.
    public var size: ByteCount { ByteCount(entries.reduce(0) { $0 + ($1.file?.size ?? 0) }) }
}
