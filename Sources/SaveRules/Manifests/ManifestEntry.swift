public import Vocabulary

/// One file, folder or symbolic link of a set.
public struct ManifestEntry: Hashable, Sendable {
    /// Its path.
    public let path: SavePath
    /// Its kind.
    public let content: Content

    /// - Parameters:
    ///   - path: its place in the set
    ///   - content: what it is
    public init(_ path: SavePath, _ content: Content) {
        self.path = path
        self.content = content
    }

    /// The kinds of entries in a set.
    public enum Content: Hashable, Sendable {
        /// A folder. When it was changed is not kept: every file that comes or goes changes it, and no game reads it.
        case folder(FileMode)
        /// A file.
        case file(SavedFile)
        /// A symbolic link that leads to somewhere within the set.
        case link(LinkTarget)
    }

    /// The file, where it is one.
    public var file: SavedFile? {
        if case .file(let file) = content { file } else { nil }
    }

    /// True if it is a folder.
    public var isFolder: Bool {
        if case .folder = content { true } else { false }
    }
}

/// A file of a set: its contents by their pieces, its mode and when it was changed.
public struct SavedFile: Hashable, Sendable {
    /// Its permissions.
    public let mode: FileMode
    /// When it was changed, as the machine's clock had it that wrote it. Kept for games that read it; nothing is decided by it.
    public let modified: FileTime
    /// Its contents, in order. An empty file has none.
    public let pieces: [PieceReference]

    /// - Parameters:
    ///   - mode: who may do what with it
    ///   - modified: when it was changed
    ///   - pieces: its contents, in order
    public init(mode: FileMode, modified: FileTime, pieces: [PieceReference]) {
        self.mode = mode
        self.modified = modified
        self.pieces = pieces
    }

    /// How many bytes it has.
    public var size: UInt64 { pieces.totalLength }
}
