import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The root folder of a game, with its parent folder if that can be used.
struct SetRoot {
    let folder: OpenFolder
    /// The path without symbolic links.
    let path: String
    let inode: UInt64
    let mode: FileMode
    /// The parent folder for staging. It is on the same file system, and this user may write there. Nil if there is
    /// none.
    let parent: (folder: OpenFolder, name: FileName)?

    init(at path: String) throws(SystemError) {
        let root = try Folder(at: path)
        self.path = try root.currentPath()
        let facts = try root.facts()
        (inode, mode) = (facts.inode, facts.mode)
        parent = try Self.parent(of: self.path, facts)
        folder = OpenFolder(root)
    }

    private static func parent(
        of path: String,
        _ facts: FileFacts
    ) throws(SystemError) -> (folder: OpenFolder, name: FileName)? {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            let name = try? FileName(String(path[path.utf8.index(after: slash)...]))
        else { return nil }
        let around = slash == path.startIndex ? "/" : String(path[..<slash])
        guard access(around, W_OK | X_OK) == 0 else { return nil }
        let folder = try Folder(at: around)
        guard try folder.facts().device == facts.device, try folder.facts(of: name).inode == facts.inode else {
            return nil
        }
        return (OpenFolder(folder), name)
    }

    /// The folder for staging: the parent folder, or the root if that is not possible.
    var stagingParent: OpenFolder { parent?.folder ?? folder }
}
