import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// The numbered steps from the base to the goal, and their staged content: `new` has content to add, `old` gets removed
/// content. The location of each entry shows which steps were taken.
final class StagedSteps {
    let change: SetChange
    let steps: [ManifestDifference.Step]
    let new: OpenFolder
    let old: OpenFolder
    /// Steps that change a part of a file.
    let patches: [SavePath: Int]
    /// Previous paths of moved files.
    let sources: [SavePath: SavePath]
    /// Number of files that are changed in place: each is held open.
    private var countInPlace = 0
    private static let limitInPlace = 128

    private static let newName = name("new")
    private static let oldName = name("old")

    static func name(_ text: String) -> FileName {
        guard let name = try? FileName(text) else { preconditionFailure("letters and digits are a valid name") }
        return name
    }

    /// The name of a step's staged content.
    static func name(_ number: Int) -> FileName { name("\(number)") }
    /// The name of the stored bytes of a patched file.
    static func kept(_ number: Int) -> FileName { name("\(number).kept") }
    /// The name of the marker that overwriting may have begun.
    static func begun(_ number: Int) -> FileName { name("\(number).begun") }

    /// Creates the folders.
    init(making change: SetChange) throws(SystemError) {
        self.change = change
        steps = ManifestDifference(from: change.plan.base, to: change.plan.goal).steps
        (patches, sources) = (Self.patches(steps), Self.sources(steps))
        let staging = try change.stagingParent.folder.createFolder(change.staging)
        new = OpenFolder(try staging.createFolder(Self.newName))
        old = OpenFolder(try staging.createFolder(Self.oldName))
        try staging.sync()
        try change.stagingParent.folder.sync()
    }

    /// The folders that a crash left; nil if they are incomplete or missing.
    init?(leftBy change: SetChange) throws(SystemError) {
        self.change = change
        steps = ManifestDifference(from: change.plan.base, to: change.plan.goal).steps
        (patches, sources) = (Self.patches(steps), Self.sources(steps))
        do throws(SystemError) {
            let staging = try change.stagingParent.folder.openFolder(change.staging)
            new = OpenFolder(try staging.openFolder(Self.newName))
            old = OpenFolder(try staging.openFolder(Self.oldName))
        } catch let error where error.number == ENOENT {
            return nil
        }
    }

    private static func patches(_ steps: [ManifestDifference.Step]) -> [SavePath: Int] {
        var patches: [SavePath: Int] = [:]
        for case (let number, .patch(let path, _)) in steps.enumerated() { patches[path] = number }
        return patches
    }

    private static func sources(_ steps: [ManifestDifference.Step]) -> [SavePath: SavePath] {
        var sources: [SavePath: SavePath] = [:]
        for case .move(let path, let target) in steps { sources[target] = path }
        return sources
    }

    // MARK: Staging

    func prepare(_ files: FileStaging) throws {
        for (number, step) in steps.enumerated() {
            switch step {
            case .put(_, let file): try files.write(file, as: Self.name(number), in: new.folder)
            case .link(let path, let target): try prepare(target, path, number)
            case .patch(let path, let patch): try prepare(patch, path, number, files)
            case .remove, .makeFolder, .move, .removeFolder, .setFile, .setFolder: continue
            }
        }
        if files.flushes {
            try new.folder.sync()
            try old.folder.sync()
        } else {
            try new.folder.syncFileSystem()
        }
    }

    private func prepare(_ target: LinkTarget, _ path: SavePath, _ number: Int) throws {
        do throws(SystemError) {
            try new.folder.createSymbolicLink(Self.name(number), to: target.text)
        } catch {
            // The errors of FAT, exFAT, and FUSE programs.
            guard [EPERM, ENOSYS, EOPNOTSUPP].contains(error.number) else { throw error }
            throw SaveFolderError.withoutLinks(change.place.path(of: path))
        }
    }

    private func prepare(_ patch: FilePatch, _ path: SavePath, _ number: Int, _ files: FileStaging) throws {
        guard let file = change.plan.goal[path]?.file else { preconditionFailure("a patched file is in the goal") }
        guard file.size >= TreeStaging.largeFile || patch.oldSize >= TreeStaging.largeFile else {
            return try files.write(file, as: Self.name(number), in: new.folder)
        }
        let around = try change.root.folder.folder.openFolder(beneath: path.parent?.names ?? [])
        let there = try around.open(path.name)
        if try files.clone(there, patch, file, as: Self.name(number), in: new.folder) { return }
        // A second name of the file exists to keep its content.
        guard try there.nameCount() == 1, countInPlace < Self.limitInPlace,
            try Self.allowsHolding(path.name, in: around)
        else {
            return try files.write(file, as: Self.name(number), in: new.folder)
        }
        countInPlace += 1
        try FileRepair.keep(patch, of: there, as: Self.kept(number), in: old.folder)
        let made = try new.folder.create(Self.name(number))
        var place: UInt64 = 0
        for write in patch.writes {
            let bytes = try files.bytes(of: write.piece)
            try bytes.lent { bytes throws(SystemError) in try made.write(bytes, at: place) }
            place += UInt64(bytes.count)
        }
        try made.sync()
        change.observe(.fileStaged)
    }

    /// True if a file may be changed in place. It requires leases, which delay programs that open the file, and stable
    /// inode numbers, by which the file is recognised after a crash to restore its bytes.
    private static func allowsHolding(_ name: FileName, in folder: borrowing Folder) throws(SystemError) -> Bool {
        guard try FileSystem(of: folder).keepsNumbers else { return false }
        if case .unavailable = FileLease.take(.writersAway, on: try folder.open(name)) { return false }
        return true
    }
}
