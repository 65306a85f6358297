import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// A set's root as it was found behind its path, with the folder around it where that can be used.
struct SetRoot {
    let folder: OpenFolder
    /// Without any symbolic link.
    let path: String
    let inode: UInt64
    let mode: FileMode
    /// The folder around it, where what is to become the set can be made ready: on the same file system, and open to this user.
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

    /// Where what is needed for a change is put: beside the set, or within where there is no other way.
    var workshop: OpenFolder { parent?.folder ?? folder }
}
