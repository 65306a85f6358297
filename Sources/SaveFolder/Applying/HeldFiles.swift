import LinuxPlatform
import SaveRules

/// Files that nobody can begin to write for as long as this lives: whoever opens one waits, and ``WriterSearch`` finds him waiting.
///
/// Files that have no leases, or that somebody writes already, are passed over.
final class HeldFiles {
    /// Each needs an open file.
    private static let limit = 128

    private final class Held {
        let lease: FileLease
        init(_ lease: consuming FileLease) { self.lease = lease }
    }

    private var held: [Held] = []

    /// Whether somebody waits to write one of them.
    var isWanted: Bool { held.contains { $0.lease.isWanted } }

    init(_ paths: some Sequence<SavePath>, in root: borrowing Folder) {
        var folders = FolderCursor()
        for path in paths.prefix(Self.limit) {
            guard let around = try? folders.folder(around: path, in: root),
                let file = try? around.folder.open(path.name)
            else { continue }
            if case .held(let lease) = FileLease.take(.writersAway, on: file) { held.append(Held(lease)) }
        }
    }
}
