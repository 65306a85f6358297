import Glibc
import LinuxPlatform
import Vocabulary

extension Folder {
    /// Removes an entry, a folder with everything in it.
    func removeEntry(_ name: FileName, _ kind: FolderEntry.Kind) throws(SystemError) {
        switch kind {
        case .folder: try removeTree(name)
        case .file, .symbolicLink, .other: try remove(name)
        }
    }

    /// Removes a folder with everything in it; nothing where there is none. What has a name that nobody here gives stays, and
    /// with it the folder, which is the error.
    func removeTree(_ name: FileName, depth: Int = 0) throws(SystemError) {
        // Deeper than anything that was made here: somebody else's.
        guard depth <= PackLimits.depth + 1 else { throw SystemError("unlinkat", ELOOP, on: name.text) }
        do {
            let folder = try openFolder(name)
            // It may have got the mode of a folder that nobody writes to.
            try? folder.setMode(.privateFolder)
            for entry in try folder.entries(limit: PackLimits.entries + 1) {
                guard let inner = entry.name else { continue }
                if entry.kind == .folder {
                    try folder.removeTree(inner, depth: depth + 1)
                } else {
                    try folder.remove(inner)
                }
            }
        } catch let error where error.number == ENOENT {
            return
        }
        try removeFolder(name)
    }
}
