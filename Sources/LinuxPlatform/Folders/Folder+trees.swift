import Glibc
public import Vocabulary

extension Folder {
    /// Removes an entry; a folder with its contents.
    public func removeEntry(_ name: FileName, _ kind: FolderEntry.Kind) throws(SystemError) {
        switch kind {
        case .folder: try removeTree(name)
        case .file, .symbolicLink, .other: try remove(name)
        }
    }

    /// The names that entries of a removed tree may have.
    public enum RemovableNames: Sendable {
        /// Names that a ``Vocabulary/FileName`` can be. An entry with another name stays, and with it the folder, which
        /// is the error.
        case proper
        /// All names.
        case all
    }

    /// Removes a folder with its contents. It does nothing if there is none.
    ///
    /// - Parameters:
    ///   - names: the entries that may go
    ///   - deepest: the depth to which folders may be nested; deeper is `ELOOP`
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

    /// Removes everything in the folder.
    private func removeContents(names: RemovableNames, deepest: Int) throws(SystemError) {
        // Deeper than anything that Huddle made: it belongs to another program.
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

    /// Opens a folder that the caller will change. Its mode may be read-only, or not even allow its owner to open it.
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
