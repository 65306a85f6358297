public import Vocabulary

/// The content of a game at one moment: its files, folders and links, in the order of their paths.
///
/// It is always valid: an entry in a folder comes after that folder, no path comes twice, and no link leads out. The
/// game's own folder is not in it, because each machine chooses the folder's name, place and mode.
public struct Manifest: Hashable, Sendable {
    /// The largest number of entries.
    public static let maximumEntryCount = 1_000_000
    /// The largest number of pieces of all files together.
    public static let maximumPieceCount = 4_000_000
    /// The largest size of the canonical encoding. It is enough for 64 GiB in pieces of the usual size, and the decoded
    /// manifest fits into the memory of a small machine.
    public static let maximumByteCount = 48 << 20
    /// The largest ``memoryByteCount`` of a manifest that another machine sends. It is enough for 140,000 files with
    /// short paths.
    public static let maximumForeignMemory = 48 << 20

    /// The manifest without entries.
    public static let empty = Manifest(known: [])

    /// The entries, in the order of their paths.
    public let entries: [ManifestEntry]

    /// - Parameter entries: the entries in the order of their paths, each folder before its content
    public init(_ entries: [ManifestEntry]) throws(SaveFormatError) {
        var check = ManifestCheck()
        for entry in entries {
            do throws(SaveFormatError.Fault) { try check.take(entry) } catch { throw SaveFormatError(error) }
        }
        self.entries = entries
    }

    /// - Parameter entries: the entries in any order
    public init(sorting entries: some Sequence<ManifestEntry>) throws(SaveFormatError) {
        try self.init(entries.sorted { $0.path < $1.path })
    }

    init(known entries: [ManifestEntry]) {
        self.entries = entries
    }

    /// The entry at a path.
    public subscript(path: SavePath) -> ManifestEntry? {
        let place = place(of: path)
        return place < entries.count && entries[place].path == path ? entries[place] : nil
    }

    /// The index of the entry at a path, or of the one that would follow it.
    public func place(of path: SavePath) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].path < path { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// True if it has a file or a link. An installed game may make its folders before the first save, so folders alone
    /// are no save.
    public var hasFiles: Bool { entries.contains { !$0.isFolder } }

    /// The memory that the manifest takes, more or less.
    public var memoryByteCount: Int { entries.reduce(0) { $0 + $1.memoryByteCount } }

    /// Every piece of every file, as often as it occurs.
    public var pieces: [PieceReference] {
        var pieces: [PieceReference] = []
        pieces.reserveCapacity(entries.count)
        for case .file(let file) in entries.lazy.map(\.content) { pieces += file.pieces }
        return pieces
    }

    /// The size of all files together.
    public var size: ByteCount { ByteCount(entries.reduce(0) { $0 + ($1.file?.size ?? 0) }) }
}
