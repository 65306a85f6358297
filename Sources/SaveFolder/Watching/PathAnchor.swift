import LinuxPlatform
import Vocabulary

/// A name that a path goes through, and the folder that it stands in: what to look at to know that the path leads elsewhere, or
/// somewhere again.
struct PathAnchor: Hashable {
    /// The folder's path.
    let folder: String
    let name: FileName
    /// Whether something stood there.
    let isThere: Bool

    /// As many symbolic links as the kernel follows.
    private static let linkLimit = 40

    /// All of a path's, up to the first name that is not there.
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

    /// Where it leads, if it is a symbolic link; nothing where it is none, and nil where it is not there.
    private static func target(of name: FileName, in folder: String) -> String? {
        guard let around = try? Folder(at: folder), let facts = try? around.facts(of: name) else { return nil }
        guard facts.kind == .symbolicLink else { return "" }
        return (try? around.target(ofSymbolicLink: name)).map { String(decoding: $0, as: UTF8.self) }
    }
}
