public import Vocabulary

/// The steps that turn a folder with one manifest into one with another. Each step needs only those before it.
///
/// First, removed files make room. Then folders are made, files move, emptied folders are removed, and content is
/// written. Modes and times come last, those of inner folders before those of outer ones. The opposite difference
/// undoes the steps.
public struct ManifestDifference: Hashable, Sendable {
    /// The kinds of steps.
    public enum Step: Hashable, Sendable {
        /// Remove a file or a link.
        case remove(SavePath)
        /// Make a folder. A later step sets its mode, when its content is complete.
        case makeFolder(SavePath)
        /// Rename a file. Both folders exist, and the new name is free.
        case move(SavePath, to: SavePath)
        /// Remove an empty folder.
        case removeFolder(SavePath)
        /// Write a file. The path is free, or has a file with no common content.
        case put(SavePath, SavedFile)
        /// Change parts of the present file.
        case patch(SavePath, FilePatch)
        /// Make a symbolic link. The path is free, or has a link with another target.
        case link(SavePath, LinkTarget)
        /// Set a file's mode and time. It follows ``patch`` and ``move``, and is alone if only these changed.
        case setFile(SavePath, FileMode, FileTime)
        /// Set a folder's mode.
        case setFolder(SavePath, FileMode)
    }

    /// The steps, in order.
    public let steps: [Step]

    /// - Parameters:
    ///   - old: the present manifest
    ///   - new: the new manifest
    public init(from old: Manifest, to new: Manifest) {
        var plan = DifferencePlan()
        plan.compare(old, new)
        steps = plan.steps
    }

    /// True if there are no steps.
    public var isEmpty: Bool { steps.isEmpty }

    /// The number of bytes to write. They must be stored here, and have room on the disk.
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

    /// The pieces to write, as often as they are written.
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
