public import Vocabulary

/// The check of an imported archive, entry by entry, before any of it changes a folder.
///
/// A pure value. Its rules are those of a version, and stricter where two file systems would differ.
public struct ArchiveContents: Sendable {
    /// The kinds of entries.
    public enum Kind: Hashable, Sendable {
        case file(UInt64)
        case folder
        case link(to: String)
    }

    /// An entry that passed the check.
    public struct Entry: Hashable, Sendable {
        /// The path in the game's folder.
        public let path: SavePath
        /// The folders around it that the archive has not named, the outermost first.
        public let missingFolders: [SavePath]
        /// True if it is a folder that the archive has named before.
        public let isKnownFolder: Bool
    }

    /// The largest size of all files together, in bytes.
    private let limit: UInt64
    private var kinds: [SavePath: Bool] = [:]
    /// The paths by their spelling on a file system that ignores case.
    private var folded: [String: SavePath] = [:]
    /// The number of files.
    public private(set) var files = 0
    /// The size of all files together, in bytes.
    public private(set) var bytes: UInt64 = 0

    /// - Parameter limit: the largest size of all files together, in bytes
    public init(limit: UInt64) { self.limit = limit }

    /// Checks the next entry.
    /// - Returns: nil for the folder of the save itself, such as `./`
    /// - Throws: ``ArchiveRefusal``
    public mutating func take(_ typed: String, _ kind: Kind) throws(ArchiveRefusal) -> Entry? {
        var names = typed.split(separator: "/", omittingEmptySubsequences: false)
        guard names.first != "" else { throw ArchiveRefusal(typed, "it leads out of the game's folder") }
        while names.first == "." { names.removeFirst() }
        if names.last == "" { names.removeLast() }
        if names.isEmpty {
            guard kind == .folder else { throw ArchiveRefusal(typed, "it has no name") }
            return nil
        }
        if names.contains("..") { throw ArchiveRefusal(typed, "it leads out of the game's folder") }
        let path: SavePath
        do throws(SavePath.Refusal) { path = try SavePath(names.joined(separator: "/")) } catch {
            throw ArchiveRefusal(typed, "no save can have a file of this name")
        }
        var around: [SavePath] = []
        var parent = path.parent
        while let folder = parent {
            around.insert(folder, at: 0)
            parent = folder.parent
        }
        var missing: [SavePath] = []
        for folder in around {
            guard let isFolder = kinds[folder] else {
                try note(folder, isFolder: true, typed)
                missing.append(folder)
                continue
            }
            guard isFolder else { throw ArchiveRefusal(typed, "\(folder) is a file or a link, and no folder") }
        }
        if kind == .folder, kinds[path] == true { return Entry(path: path, missingFolders: [], isKnownFolder: true) }
        try note(path, isFolder: kind == .folder, typed)
        switch kind {
        case .folder: break
        case .link(let target):
            guard LinkTarget(target.utf8, depth: path.depth - 1) != nil else {
                throw ArchiveRefusal(typed, "it is a link that leads out of the game's folder")
            }
        case .file(let size):
            files += 1
            let (sum, isTooMuch) = bytes.addingReportingOverflow(size)
            guard !isTooMuch, sum <= limit else {
                throw ArchiveRefusal(typed, "with it the files have more than \(ByteCount(limit).rounded)")
            }
            bytes = sum
        }
        return Entry(path: path, missingFolders: missing, isKnownFolder: false)
    }

    private mutating func note(_ path: SavePath, isFolder: Bool, _ typed: String) throws(ArchiveRefusal) {
        guard kinds.count < Manifest.maximumEntryCount else { throw ArchiveRefusal(typed, "it is one file too many") }
        guard kinds[path] == nil else { throw ArchiveRefusal(typed, "the archive has it twice") }
        let plain = path.text.lowercased()
        if let other = folded[plain] {
            throw ArchiveRefusal(typed, "it and \(other) are one file on disks that ignore upper and lower case")
        }
        (kinds[path], folded[plain]) = (isFolder, path)
    }
}

/// A reason why an archive is not imported.
public struct ArchiveRefusal: ExplainedError, Hashable {
    /// The same code for each reason.
    public let code = ErrorCode(.invalid, "archive.refused")
    /// The entry and its fault.
    public let message: String
    /// The next step.
    public let nextStep = "make the archive again without it; `tar -tvf FILE` lists what it has"

    init(_ entry: String, _ reason: String) {
        message = "nothing was imported: the archive has “\(PrintableText(entry, limit: 200))”: \(reason)"
    }
}
