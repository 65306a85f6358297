import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Builds the whole new folder of a game: unchanged files are hard links, which need no copy; new ones are written.
struct TreeStaging {
    /// The folder can't be built again here: it must be changed step by step.
    struct Impossible: Error {}

    /// A file of at least this size is patched, not rewritten, if only parts of it changed.
    static let largeFile: UInt64 = 4 << 20

    private let root: SetRoot
    private let plan: ApplyPlan
    private let place: SetPlace
    private let files: FileStaging
    private var (from, to) = (FolderCursor(), FolderCursor())
    /// Paths of the base with files that the goal has under another name.
    private var elsewhere: [SavedFile: SavePath] = [:]

    init(_ plan: ApplyPlan, _ root: SetRoot, _ place: SetPlace, _ files: FileStaging) {
        (self.plan, self.root, self.place, self.files) = (plan, root, place, files)
    }

    /// Fills a folder, and flushes it.
    mutating func fill(_ staged: borrowing Folder) throws {
        for entry in plan.base.entries {
            guard let file = entry.file, plan.goal[entry.path]?.content != entry.content else { continue }
            elsewhere[file] = entry.path
        }
        for entry in plan.goal.entries { try make(entry, in: staged) }
        var untracked = UntrackedFiles(place)
        do {
            try untracked.link(from: root.folder.folder, into: staged, again: false)
        } catch let error as SystemError where Self.isWithoutLinks(error) {
            throw Impossible()
        }
        for entry in plan.goal.entries.reversed() {
            guard case .folder(let mode) = entry.content else { continue }
            let folder = try staged.openFolder(beneath: entry.path.names)
            if files.flushes { try folder.sync() }
            try folder.setMode(mode)
        }
        try staged.takeAfter(root.folder.folder)
        try files.flushes ? staged.sync() : staged.syncFileSystem()
    }

    private mutating func make(_ entry: ManifestEntry, in staged: borrowing Folder) throws {
        let around = try to.folder(around: entry.path, in: staged)
        switch entry.content {
        case .folder: _ = try around.folder.createFolder(entry.path.name)
        case .link(let target): try around.folder.createSymbolicLink(entry.path.name, to: target.text)
        case .file(let file): try make(file, entry.path, in: around.folder)
        }
    }

    private mutating func make(_ file: SavedFile, _ path: SavePath, in folder: borrowing Folder) throws {
        let old = plan.base[path]?.file
        if let source = old == file ? path : elsewhere.removeValue(forKey: file) {
            return try link(source, as: path.name, in: folder)
        }
        if let old, file.size >= Self.largeFile {
            let patch = FilePatch(from: old.pieces, to: file.pieces)
            if patch.keepsSomething {
                let there = try from.folder(around: path, in: root.folder.folder)
                let source = try there.folder.open(path.name)
                guard try files.clone(source, patch, file, as: path.name, in: folder) else { throw Impossible() }
                return
            }
        }
        try files.write(file, as: path.name, in: folder)
    }

    private mutating func link(_ source: SavePath, as name: FileName, in folder: borrowing Folder) throws {
        do {
            let around = try from.folder(around: source, in: root.folder.folder)
            try around.folder.link(source.name, to: name, in: folder)
        } catch {
            throw Self.isWithoutLinks(error) ? Impossible() : error
        }
    }

    /// True if the file system, or this place of it, has no hard links.
    private static func isWithoutLinks(_ error: SystemError) -> Bool {
        error.operation == "linkat" && [EPERM, EOPNOTSUPP, ENOSYS, EMLINK, EXDEV, EACCES].contains(error.number)
    }
}
