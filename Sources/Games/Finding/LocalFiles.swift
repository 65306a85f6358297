import Glibc
import LinuxPlatform
import Vocabulary

/// Read-only access of the finder to the disk: small files, names in folders, targets of links. All calls block.
enum LocalFiles {
    /// The bytes of a file; nil if there is none, it is larger than the limit, or it is no regular file.
    static func read(_ path: String, limit: Int) -> [UInt8]? {
        guard let real = real(path), let slash = real.lastIndex(of: "/"),
            let name = try? FileName(String(real[real.index(after: slash)...])),
            let folder = try? Folder(at: slash == real.startIndex ? "/" : String(real[..<slash]))
        else { return nil }
        return try? AtomicFile(name).read(in: folder, limit: limit)
    }

    /// The contents of a folder, sorted by name; nothing if it can't be read or holds more than the limit.
    static func entries(_ path: String, limit: Int = 20_000) -> [(name: String, kind: FolderEntry.Kind)] {
        guard let folder = try? Folder(at: path), let entries = try? folder.entries(limit: limit) else { return [] }
        return entries.compactMap { entry in entry.name.map { ($0.text, entry.kind) } }.sorted { $0.0 < $1.0 }
    }

    /// The folders in a folder, and links, which may lead to one.
    static func folders(_ path: String, limit: Int = 20_000) -> [String] {
        entries(path, limit: limit).filter { $0.kind == .folder || $0.kind == .symbolicLink }.map(\.name)
    }

    static func isFolder(_ path: String) -> Bool { kind(path) == .folder }

    /// The kind of a file, after following links.
    static func kind(_ path: String) -> FolderEntry.Kind? { (try? FileFacts(at: path))?.kind }

    /// The path without symbolic links; nil if nothing exists there.
    static func real(_ path: String) -> String? {
        guard !path.utf8.contains(0), let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(validatingCString: resolved)
    }
}
