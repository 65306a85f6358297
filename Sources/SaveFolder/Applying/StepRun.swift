import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Takes the steps of a change in the folder itself. Each can be undone: removed content is stored beside the folder
/// until the end.
///
/// Replacing a file is atomic. If several change, a program that reads meanwhile can see a mix of old and new; after a
/// crash, none can.
final class StepRun {
    private let staged: StagedSteps
    private let change: SetChange
    private var folders = FolderCursor()
    /// Read-only folders that are writable for the duration of the change.
    private var opened: Set<SavePath?> = []
    /// Files that were changed in place, by the number of the step.
    private var patched: [Int: PatchedFile] = [:]
    /// The facts of files after this change set their mode and time: a file may have several names.
    private var given: [FileIdentity: FileFacts] = [:]
    private var leases = RetriedLease()

    init(_ staged: StagedSteps) {
        (self.staged, change) = (staged, staged.change)
    }

    private var root: OpenFolder { change.root.folder }

    /// - Parameter sight: the folder as it is
    func run(_ sight: FolderSight, _ files: FileStaging) throws {
        try staged.prepare(files)
        guard try sight.isUnchanged(in: root.folder, change.place) else { throw SetChange.Overtaken() }
        try change.requireUnused(change.leavingFiles, in: root.folder)
        try change.announce()
        do {
            for (number, step) in staged.steps.enumerated() {
                do {
                    try take(step, number, sight)
                } catch let error as SystemError {
                    throw explained(error, at: step)
                }
                change.observe(.stepTaken)
            }
            try closeFolders()
            try root.folder.syncFileSystem()
            try requireUndisturbed(sight)
            try change.commit()
        } catch {
            try change.abandon()
            try withExtendedLifetime(patched) { try StepUndo(staged, holding: patched).run() }
            throw error
        }
        // Programs that wait for one of them may continue.
        patched = [:]
        try change.clear()
    }

    // MARK: Steps

    private func take(_ step: ManifestDifference.Step, _ number: Int, _ sight: FolderSight) throws {
        switch step {
        case .remove(let path):
            try around(path).folder.rename(
                path.name,
                to: StagedSteps.name(number),
                in: staged.old.folder,
                overwriting: .forbidden
            )
        case .makeFolder(let path): _ = try around(path).folder.createFolder(path.name)
        case .move(let path, let target):
            let from = try around(path)
            try from.folder.rename(path.name, to: target.name, in: around(target).folder, overwriting: .forbidden)
        case .removeFolder(let path): try removeFolder(path)
        case .put(let path, _), .link(let path, _): try put(path, number)
        case .patch(let path, let patch):
            if try staged.old.folder.holds(StagedSteps.kept(number)) {
                try overwrite(path, patch, number, sight)
            } else {
                try put(path, number)
            }
        case .setFile(let path, let mode, let time): try setFile(path, mode, time, sight)
        case .setFolder(let path, let mode):
            try root.folder.openFolder(beneath: path.names).setMode(mode)
            opened.remove(path)
        }
    }

    /// Converts an error about a name that the disk does not accept.
    private func explained(_ error: SystemError, at step: ManifestDifference.Step) -> any Error {
        guard let path = step.named else { return error }
        switch error.number {
        case EEXIST: return SaveFolderError.inTheWay(change.place.path(of: path))
        case EINVAL where path.name.isUnfitForMemoryCards, ENOENT where path.name.isUnfitForMemoryCards:
            return SaveFolderError.unfitName(change.place.path(of: path), cause: error)
        default: return error
        }
    }

    private func put(_ path: SavePath, _ number: Int) throws {
        let (folder, name) = (try around(path), StagedSteps.name(number))
        guard change.plan.hasOld(at: path) else {
            try staged.new.folder.rename(name, to: path.name, in: folder.folder, overwriting: .forbidden)
            return
        }
        do {
            try folder.folder.link(path.name, to: name, in: staged.old.folder)
        } catch {
            guard ![ENOSPC, EDQUOT, EIO].contains(error.number) else { throw error }
            // On a file system without hard links, the path is missing for an instant.
            try folder.folder.rename(path.name, to: name, in: staged.old.folder, overwriting: .forbidden)
        }
        try staged.new.folder.rename(name, to: path.name, in: folder.folder, overwriting: .allowed)
    }

    private func removeFolder(_ path: SavePath) throws(SystemError) {
        let folder = try around(path)
        do {
            try folder.folder.removeFolder(path.name)
        } catch let error where error.number == ENOTEMPTY || error.number == EEXIST {
            // Only untracked files are in it; they stay.
        }
    }

    /// Overwrites parts of a file in place. Programs that open it wait until the change is final or undone: their
    /// writes in between could not be distinguished from those of this change.
    private func overwrite(_ path: SavePath, _ patch: FilePatch, _ number: Int, _ sight: FolderSight) throws {
        let folder = try around(path)
        switch try leases.take(
            .everybodyAway,
            { () throws(SystemError) in
                try folder.folder.open(path.name, for: .readingAndWriting)
            }
        ) {
        case .held(let lease):
            let file = try PatchedFile(lease)
            guard case .file(let before) = sight[path], file.isLike(before.facts) else {
                throw SetChange.Overtaken()
            }
            _ = try staged.old.folder.create(StagedSteps.begun(number))
            try staged.old.folder.sync()
            patched[number] = file
            try file.write { file in try overwrite(file, patch, staged.new.folder.open(StagedSteps.name(number))) }
        case .inUse: throw SetChange.InUse(writers: [])
        // There were leases during the staging.
        case .unavailable: throw SetChange.Overtaken()
        }
    }

    /// Sets a file's mode and time. A program that opens it for writing waits for that moment: with the time of the new
    /// version, its write would count as the new version.
    private func setFile(_ path: SavePath, _ mode: FileMode, _ time: FileTime, _ sight: FolderSight) throws {
        let folder = try around(path)
        if let number = staged.patches[path] {
            // A file that was replaced as a whole has them.
            guard let file = patched[number] else { return }
            guard try file.isUntouched() else { throw SetChange.Overtaken() }
            return try file.write { file in
                try file.setMode(mode)
                try file.setModified(time)
            }
        }
        func set() throws {
            let facts = try folder.folder.facts(of: path.name)
            guard case .file(let before) = sight[staged.sources[path] ?? path],
                facts == before.facts || (facts.identity == before.facts.identity && facts == given[facts.identity])
            else { throw SetChange.Overtaken() }
            try folder.folder.setMode(mode, of: path.name)
            try folder.folder.setModified(time, of: path.name)
            given[facts.identity] = try folder.folder.facts(of: path.name)
        }
        switch try leases.take(.writersAway, { () throws(SystemError) in try folder.folder.open(path.name) }) {
        case .held(let lease): try withExtendedLifetime(lease) { try set() }
        case .inUse: throw SetChange.InUse(writers: [])
        case .unavailable: try set()
        }
    }

    private func overwrite(
        _ file: borrowing OwnedDescriptor,
        _ patch: FilePatch,
        _ bytes: borrowing OwnedDescriptor
    ) throws {
        var place: UInt64 = 0
        for write in patch.writes {
            let count = UInt64(write.piece.length)
            try FileRepair.copy(from: bytes, at: place, count: count, to: file, at: write.offset)
            place += count
            change.observe(.partWritten)
        }
        if patch.newSize != patch.oldSize { try file.truncate(to: patch.newSize) }
        try file.sync()
    }

    // MARK: Folders and checks

    /// The parent folder of a path, writable.
    private func around(_ path: SavePath) throws(SystemError) -> OpenFolder {
        let folder = try folders.folder(around: path, in: root.folder)
        guard !opened.contains(path.parent) else { return folder }
        let mode = try folder.folder.facts().mode
        if mode.rawValue & 0o300 != 0o300 {
            try folder.folder.setMode(FileMode(rawValue: mode.rawValue | 0o700))
            opened.insert(path.parent)
        }
        return folder
    }

    private func closeFolders() throws {
        for path in opened {
            guard let path else {
                try root.folder.setMode(change.plan.mode)
                continue
            }
            guard case .folder(let mode) = change.plan.goal[path]?.content else { continue }
            try root.folder.openFolder(beneath: path.names).setMode(mode)
        }
    }

    /// Checks that replaced and removed entries are as they were found, no program writes to them, and the folder holds
    /// the goal.
    private func requireUndisturbed(_ sight: FolderSight) throws {
        // The writer must come after the change or before it; now it would write to the new file after reading the old
        // one.
        if patched.values.contains(where: \.isWanted) { throw SetChange.InUse(writers: []) }
        var search = WriterSearch()
        for (number, step) in staged.steps.enumerated() {
            guard let path = step.replaced, case .file(let before) = sight[path] else { continue }
            let name = StagedSteps.name(number)
            // If nothing was stored, the file was changed in place.
            guard try staged.old.folder.holds(name) else { continue }
            guard try staged.old.folder.facts(of: name) == before.facts else { throw SetChange.Overtaken() }
            try search.look(at: name, in: staged.old.folder)
        }
        if case .occupied(let writers) = search.result() { throw SetChange.InUse(writers: writers) }
        guard try sight.holds(change.plan, in: root.folder, change.place) else { throw SetChange.Overtaken() }
    }
}

extension ManifestDifference.Step {
    /// The file that it removes or replaces.
    fileprivate var replaced: SavePath? {
        switch self {
        case .remove(let path), .put(let path, _), .patch(let path, _): path
        case .makeFolder, .move, .removeFolder, .link, .setFile, .setFolder: nil
        }
    }
}

extension ManifestDifference.Step {
    /// The path of a new entry.
    fileprivate var named: SavePath? {
        switch self {
        case .put(let path, _), .link(let path, _), .makeFolder(let path), .move(_, let path): path
        case .remove, .removeFolder, .patch, .setFile, .setFolder: nil
        }
    }
}

extension FileName {
    /// True if FAT and exFAT don't accept the name.
    fileprivate var isUnfitForMemoryCards: Bool {
        text.utf8.contains { $0 < 0x20 || #"":*?<>|\"#.utf8.contains($0) } || text.hasSuffix(".") || text.hasSuffix(" ")
    }
}

extension ApplyPlan {
    /// True if an entry of the same kind is replaced at a path.
    func hasOld(at path: SavePath) -> Bool {
        switch (base[path]?.content, goal[path]?.content) {
        case (.file, .file), (.link, .link): true
        default: false
        }
    }

    /// The folders to remove, unless they have untracked files.
    var foldersLeft: Set<SavePath> {
        Set(base.entries.lazy.filter { $0.isFolder && goal[$0.path] == nil }.map(\.path))
    }
}
