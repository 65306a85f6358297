import LinuxPlatform
import Vocabulary

/// A name in a path, and its parent folder. Watching that folder shows if the path leads elsewhere, or exists again.
struct PathAnchor: Hashable {
    /// The path of the parent folder.
    let folder: String
    let name: FileName
    /// True if the name existed.
    let isThere: Bool

    /// The largest number of symbolic links, as in the kernel.
    private static let linkLimit = 40

    /// Returns the anchors of a path, up to the first missing name.
    static func all(of path: String) -> [PathAnchor] {
        var names = Array(path.split(separator: "/").reversed().map(String.init))
        var (anchors, folder, links) = ([PathAnchor](), "", 0)
        while let next = names.popLast() {
            if next == "." { continue }
            if next == ".." {
                folder = folder.lastIndex(of: "/").map { String(folder[..<$0]) } ?? ""
                continue
            }
            guard let name = try? FileName(next) else { return anchors }
            let around = folder.isEmpty ? "/" : folder
            let target = target(of: name, in: around)
            anchors.append(PathAnchor(folder: around, name: name, isThere: target != nil))
            guard let target else { return anchors }
            guard !target.isEmpty else {
                folder += "/\(next)"
                continue
            }
            links += 1
            guard links <= linkLimit else { return anchors }
            if target.utf8.first == UInt8(ascii: "/") { folder = "" }
            names += target.split(separator: "/").reversed().map(String.init)
        }
        return anchors
    }

    /// Returns the target of a symbolic link; empty for another entry, and nil if it is missing.
    private static func target(of name: FileName, in folder: String) -> String? {
        guard let around = try? Folder(at: folder), let facts = try? around.facts(of: name) else { return nil }
        guard facts.kind == .symbolicLink else { return "" }
        return (try? around.target(ofSymbolicLink: name)).map { String(decoding: $0, as: UTF8.self) }
    }
}
