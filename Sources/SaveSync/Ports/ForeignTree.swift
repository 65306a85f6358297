import Digests
import History
import LinuxPlatform
import SaveFolder
public import SaveRules
public import Vocabulary

/// All files that a device has of a game. Parent folders of a file may be left out.
public struct ForeignTree: Sendable {
    /// One file or folder.
    public enum Content: Hashable, Sendable {
        /// An entry of a version, as ``BridgedGames/contents(of:in:)`` returned it.
        case known(ManifestEntry.Content)
        /// A file that the bridge has stored on this machine's disk. Nothing changes it until the call returns.
        case staged(at: String, mode: FileMode? = nil, modified: FileTime)
        /// A folder.
        case folder
    }

    /// The entries by path.
    public var entries: [SavePath: Content]

    /// Creates a tree.
    public init(_ entries: [SavePath: Content] = [:]) { self.entries = entries }

    /// The tree of a version.
    public init(_ manifest: Manifest) {
        entries = Dictionary(uniqueKeysWithValues: manifest.entries.map { ($0.path, .known($0.content)) })
    }
}

extension ForeignTree {
    /// Returns the entries, and stores the contents of all files in a batch. Files that are not shared are left out.
    func manifest(over base: Manifest, in place: SetPlace, _ batch: HistoryBatch) throws -> Manifest {
        var made: [SavePath: ManifestEntry.Content] = [:]
        let cutter = FileCutter()
        for (path, content) in entries where place.shares(path) {
            switch content {
            case .folder: made[path] = base[path]?.isFolder == true ? base[path]?.content : .folder(.usualFolder)
            case .known(let content):
                // The pieces of another version may be collected before the new one is stored.
                for piece in Self.pieces(of: content) { _ = try batch.claim(piece.id) }
                made[path] = content
            case .staged(let file, let mode, let modified):
                let pieces = try Self.pieces(of: file, cutter, batch)
                let mode = mode ?? base[path]?.file?.mode ?? .readableFile
                // If a device sends the same bytes again, it has saved nothing, so the file keeps its time.
                let old = base[path]?.file
                let modified = old?.pieces == pieces ? old?.modified ?? modified : modified
                made[path] = .file(SavedFile(mode: mode, modified: modified, pieces: pieces))
            }
        }
        for path in made.keys {
            var parent = path.parent
            while let folder = parent, made[folder] == nil {
                made[folder] = base[folder]?.isFolder == true ? base[folder]?.content : .folder(.usualFolder)
                parent = folder.parent
            }
        }
        return try Manifest(sorting: made.map { ManifestEntry($0.key, $0.value) })
    }

    private static func pieces(of content: ManifestEntry.Content) -> [PieceReference] {
        if case .file(let file) = content { file.pieces } else { [] }
    }

    private static func pieces(of path: String, _ cutter: FileCutter, _ batch: HistoryBatch) throws -> [PieceReference]
    {
        let file = try OwnedDescriptor.openFile(at: path)
        let size = UInt64(try file.facts().size)
        let sizes = PieceSizes(forFileOf: size)
        let cutting = PieceCutter(minimum: sizes.minimum, average: sizes.average, maximum: sizes.maximum)
        var pieces: [PieceReference] = []
        let count = try cutter.pieces(of: file, size: size, cutBy: size > UInt64(sizes.wholeUpTo) ? cutting : nil) {
            try batch.put($0)
            pieces.append(PieceReference(PieceID(words: $0.digest.words), length: $0.bytes.count))
        }
        guard count == size else { throw SaveSyncError.folderStirs }
        return pieces
    }
}

extension FileMode {
    fileprivate static let usualFolder = FileMode(rawValue: 0o755)
}
