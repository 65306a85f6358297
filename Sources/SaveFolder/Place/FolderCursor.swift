import LinuxPlatform
import SaveRules

/// A cache for the parent folders of paths that come in the order of the tree: the last opened folder is usually needed
/// again.
struct FolderCursor {
    private var last: (path: SavePath?, folder: OpenFolder)?

    mutating func folder(around path: SavePath, in root: borrowing Folder) throws(SystemError) -> OpenFolder {
        try folder(path.parent, in: root)
    }

    /// - Parameter path: nil for the root itself
    mutating func folder(_ path: SavePath?, in root: borrowing Folder) throws(SystemError) -> OpenFolder {
        if let last, last.path == path { return last.folder }
        let folder = OpenFolder(try root.openFolder(beneath: path?.names ?? []))
        last = (path, folder)
        return folder
    }
}
