import Glibc
public import Vocabulary

extension Folder {
    /// Removes an entry, a folder with everything in it.
    public func removeEntry(_ name: FileName, _ kind: FolderEntry.Kind) throws(SystemError) {
        switch kind {
        case .folder: try removeTree(name)
        case .file, .symbolicLink, .other: try remove(name)
        }
    }

    /// Which names a tree's entries may have for it to be removed.
    public enum RemovableNames: Sendable {
        /// Those that a ``Vocabulary/FileName`` can be. What has another one stays, and with it the folder, which is the error.
        case proper
        /// Whatever the file system holds.
        case all
    }

    /// Removes a folder with everything in it; nothing where there is none.
    ///
    /// - Parameters:
    ///   - names: what of it may go
    ///   - deepest: how many folders may lie in each other; deeper is `ELOOP`
    public func removeTree(
        _ name: FileName,
        names: RemovableNames = .proper,
        deepest: Int = 65
    ) throws(SystemError) {
        do {
            try openFolderToChange(name).removeContents(names: names, deepest: deepest)
        } catch let error where error.number == ENOENT {
            return
        }
        try removeFolder(name)
    }

    /// Removes everything that is in the folder.
    private func removeContents(names: RemovableNames, deepest: Int) throws(SystemError) {
        // Deeper than anything that was made here: somebody else's.
        guard deepest > 0 else { throw SystemError("unlinkat", ELOOP) }
        for entry in try entries(limit: 1 << 22) where names == .all || entry.name != nil {
            if let name = entry.name, entry.kind == .folder {
                try removeTree(name, names: names, deepest: deepest - 1)
                continue
            }
            if entry.kind == .folder { try openFolder(entry).removeContents(names: names, deepest: deepest - 1) }
            try remove(entry)
        }
    }

    /// Opens a folder in which something is to change. It may have got the mode of a folder that nobody writes to, or that
    /// not even its owner may open.
    private func openFolderToChange(_ name: FileName) throws(SystemError) -> Folder {
        do {
            let folder = try openFolder(name)
            try? folder.setMode(.privateFolder)
            return folder
        } catch let error where error.number == EACCES {
            try setMode(.privateFolder, of: name)
            return try openFolder(name)
        }
    }
}
