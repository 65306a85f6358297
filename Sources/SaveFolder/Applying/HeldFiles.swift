import LinuxPlatform
import SaveRules

/// File leases that delay other writers while this object lives: a program that opens a file waits, and
/// ``WriterSearch`` finds it.
///
/// Files without lease support, or with a writer already, are skipped.
final class HeldFiles {
    /// Each lease needs an open file.
    private static let limit = 128

    private final class Held {
        let lease: FileLease
        init(_ lease: consuming FileLease) { self.lease = lease }
    }

    private var held: [Held] = []

    /// True if a program waits to write to one of them.
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
