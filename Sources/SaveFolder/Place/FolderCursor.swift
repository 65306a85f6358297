import LinuxPlatform
import SaveRules

/// Opens the parent folders of one path after the other. Paths come in the order of the tree, so the last folder is
/// usually needed again.
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
