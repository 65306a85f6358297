public import Vocabulary

/// The steps that turn a folder with one manifest into one with another, in an order in which each can be
/// done once those before it are.
///
/// First what goes away makes room, then folders are made, then files move, then emptied folders go, then contents come,
/// and modes and times last, those of inner folders before those of outer ones. The way back is the difference the other
/// way round.
public struct ManifestDifference: Hashable, Sendable {
    /// One thing to do.
    public enum Step: Hashable, Sendable {
        /// Take a file or a link away.
        case remove(SavePath)
        /// Make a folder. A later step sets its mode, once everything is in it.
        case makeFolder(SavePath)
        /// Give a file another name; both folders are there, and nothing is at the new name.
        case move(SavePath, to: SavePath)
        /// Take an empty folder away.
        case removeFolder(SavePath)
        /// Put a file there; nothing is there, or a file whose contents have nothing in common with it.
        case put(SavePath, SavedFile)
        /// Change parts of the file that is there.
        case patch(SavePath, FilePatch)
        /// Put a symbolic link there; nothing is there, or a link that leads elsewhere.
        case link(SavePath, LinkTarget)
        /// Set a file's mode and time. It follows ``patch`` and ``move``, and is alone if only these changed.
        case setFile(SavePath, FileMode, FileTime)
        /// Set a folder's mode.
        case setFolder(SavePath, FileMode)
    }

    /// In the order in which they are to be done.
    public let steps: [Step]

    /// - Parameters:
    ///   - old: what is there
    ///   - new: what is to be there
    public init(from old: Manifest, to new: Manifest) {
        var plan = DifferencePlan()
        plan.compare(old, new)
        steps = plan.steps
    }

    /// True if there is nothing to do.
    public var isEmpty: Bool { steps.isEmpty }

    /// How many bytes of contents are written: what must be at hand, and on the disk.
    public var byteCount: ByteCount {
        ByteCount(
            steps.reduce(0) { sum, step in
                switch step {
                case .put(_, let file): sum + file.size
                case .patch(_, let patch): sum + patch.byteCount
                case .remove, .makeFolder, .move, .removeFolder, .link, .setFile, .setFolder: sum
                }
            }
        )
    }

    /// The pieces that are written, as often as they are.
    public var pieces: [PieceReference] {
        steps.flatMap { step -> [PieceReference] in
            switch step {
            case .put(_, let file): file.pieces
            case .patch(_, let patch): patch.writes.map(\.piece)
            case .remove, .makeFolder, .move, .removeFolder, .link, .setFile, .setFolder: []
            }
        }
    }
}
