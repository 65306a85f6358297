public import Vocabulary

/// A file, folder or symbolic link of a game.
public struct ManifestEntry: Hashable, Sendable {
    /// Its path.
    public let path: SavePath
    /// Its kind.
    public let content: Content

    /// - Parameters:
    ///   - path: the path in the game's folder
    ///   - content: the kind of entry, with its content
    public init(_ path: SavePath, _ content: Content) {
        self.path = path
        self.content = content
    }

    /// The kinds of entries.
    public enum Content: Hashable, Sendable {
        /// A folder. Its time of change is not stored: each file that is added or removed changes it, and no game reads
        /// it.
        case folder(FileMode)
        /// A file.
        case file(SavedFile)
        /// A symbolic link to a place in the game's folder.
        case link(LinkTarget)
    }

    /// The file; nil if it is none.
    public var file: SavedFile? {
        if case .file(let file) = content { file } else { nil }
    }

    /// True if it is a folder.
    public var isFolder: Bool {
        if case .folder = content { true } else { false }
    }
}

/// A file of a game: its content by pieces, its mode and its time of change.
public struct SavedFile: Hashable, Sendable {
    /// The permissions.
    public let mode: FileMode
    /// The time of the last change, by the clock of the machine that wrote it. It is for games that read it and decides
    /// nothing.
    public let modified: FileTime
    /// The content, in order. An empty file has no pieces.
    public let pieces: [PieceReference]

    /// - Parameters:
    ///   - mode: the permissions
    ///   - modified: the time of the last change
    ///   - pieces: the content, in order
    public init(mode: FileMode, modified: FileTime, pieces: [PieceReference]) {
        self.mode = mode
        self.modified = modified
        self.pieces = pieces
    }

    /// The number of its bytes.
    public var size: UInt64 { pieces.totalLength }
}
