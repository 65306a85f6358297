import SaveRules
import SecureArchive
import Vocabulary

/// A part of an archive: bytes, or a piece of a file in the history.
enum ArchivePart: Sendable {
    case bytes([UInt8])
    case piece(PieceID)
}

extension ArchivePart {
    /// Returns the parts of all entries of a version, and the end of the archive.
    static func all(of manifest: Manifest, at time: FileTime) -> [ArchivePart] {
        var parts: [ArchivePart] = []
        for entry in manifest.entries {
            let path = entry.path.text
            switch entry.content {
            case .folder(let mode):
                parts.append(.bytes(TarWriter.header(TarEntry(path, .folder, mode: mode, modified: time))))
            case .link(let target):
                let link = TarEntry(path, .link(to: target.text), mode: FileMode(rawValue: 0o777), modified: time)
                parts.append(.bytes(TarWriter.header(link)))
            case .file(let file):
                let header = TarEntry(path, .file, mode: file.mode, modified: file.modified, size: file.size)
                parts.append(.bytes(TarWriter.header(header)))
                parts += file.pieces.map { .piece($0.id) }
                parts.append(.bytes(TarWriter.padding(after: file.size)))
            }
        }
        return parts + [.bytes(TarWriter.end)]
    }
}
