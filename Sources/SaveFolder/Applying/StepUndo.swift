import Glibc
import LinuxPlatform
import SaveRules
import Vocabulary

/// Undoes the steps of a change, the last one first, also after a crash interrupted them or the undo. The location of
/// each entry determines the action; later changes of programs stay.
struct StepUndo {
    private let staged: StagedSteps
    private let change: SetChange
    /// Files that this program changed in place, by the number of the step.
    private let patched: [Int: PatchedFile]

    init(_ staged: StagedSteps, holding patched: [Int: PatchedFile] = [:]) {
        (self.staged, change, self.patched) = (staged, staged.change, patched)
    }

    private var root: OpenFolder { change.root.folder }

    func run() throws {
        change.observe(.takingBack)
        for (number, step) in staged.steps.enumerated().reversed() {
            try undo(step, number)
            change.observe(.stepTakenBack)
        }
        try restoreFolders()
        try root.folder.syncFileSystem()
        // Later writes of programs must not be undone as well.
        try change.journal.note(.takenBack)
        change.observe(.takenBack)
    }

    private func undo(_ step: ManifestDifference.Step, _ number: Int) throws {
        switch step {
        case .remove(let path):
            try restoreEntry(staged.old, StagedSteps.name(number), to: path)
        case .makeFolder(let path):
            try ignoring([ENOENT, ENOTDIR, ELOOP, ENOTEMPTY, EEXIST]) { () throws(SystemError) in
                try around(path).folder.removeFolder(path.name)
            }
        case .move(let path, let target):
            // If the entry at the target came from elsewhere, nothing was moved.
            try ignoring([ENOENT, ENOTDIR, ELOOP, EEXIST]) { () throws(SystemError) in
                let (from, to) = (try around(target), try around(path))
                try from.folder.rename(target.name, to: path.name, in: to.folder, overwriting: .forbidden)
            }
        case .removeFolder(let path):
            try ignoring([EEXIST]) { () throws(SystemError) in
                _ = try around(path).folder.createFolder(path.name)
            }
        case .put(let path, _), .link(let path, _): try takeBackPut(path, number)
        case .patch(let path, _):
            if try staged.old.folder.holds(StagedSteps.kept(number)) {
                try repair(path, number)
            } else {
                try takeBackPut(path, number)
            }
        case .setFile(let path, let mode, let time): try restoreFile(path, mode, time)
        case .setFolder: return
        }
    }

    /// Moves a stored entry back to its path, unless another entry exists there.
    private func restoreEntry(_ folder: OpenFolder, _ name: FileName, to path: SavePath) throws(SystemError) {
        try ignoring([ENOENT, EEXIST]) { () throws(SystemError) in
            try folder.folder.rename(name, to: path.name, in: around(path).folder, overwriting: .forbidden)
        }
    }

    private func takeBackPut(_ path: SavePath, _ number: Int) throws {
        let name = StagedSteps.name(number)
        let (isWaiting, isKept) = (
            try staged.new.folder.holds(name), try staged.old.folder.holds(name)
        )
        let hasOld = change.plan.hasOld(at: path)
        // If nothing was put there yet, its parent folder may be missing, too.
        guard hasOld ? isKept : !isWaiting else { return }
        let folder = try around(path)
        if hasOld {
            // While the new content is still staged, only entries that were moved away are missing.
            let isOurs = try !isWaiting && isAsPut(path, in: folder.folder)
            guard try isOurs || !folder.folder.holds(path.name) else { return }
            try staged.old.folder.rename(name, to: path.name, in: folder.folder, overwriting: .allowed)
        } else if try isAsPut(path, in: folder.folder) {
            try folder.folder.rename(path.name, to: name, in: staged.new.folder, overwriting: .forbidden)
        }
    }

    /// True if the entry at a path seems to be the one of this change.
    private func isAsPut(_ path: SavePath, in folder: borrowing Folder) throws(SystemError) -> Bool {
        let facts: FileFacts
        do throws(SystemError) {
            facts = try folder.facts(of: path.name)
        } catch let error where error.number == ENOENT {
            return false
        }
        switch change.plan.goal[path]?.content {
        case .file(let file): return facts.isRegular && file.fits(facts)
        case .link(let target):
            guard facts.kind == .symbolicLink else { return false }
            return try folder.target(ofSymbolicLink: path.name).elementsEqual(target.text.utf8)
        case .folder, nil: return false
        }
    }

    private func repair(_ path: SavePath, _ number: Int) throws {
        guard try staged.old.folder.holds(StagedSteps.begun(number)),
            let file = change.plan.base[path]?.file
        else { return }
        if let held = patched[number] {
            guard try held.isUntouched() else { return }
            return try held.write { there in try repair(there, file, number) }
        }
        let folder = try around(path)
        try ignoring([ENOENT, EINVAL, ELOOP]) { () throws(SystemError) in
            try setWritable(path, in: folder.folder)
            try repair(folder.folder.open(path.name, for: .readingAndWriting), file, number)
        }
    }

    private func repair(
        _ there: borrowing OwnedDescriptor,
        _ file: SavedFile,
        _ number: Int
    ) throws(SystemError) {
        guard try FileRepair.repair(there, from: StagedSteps.kept(number), in: staged.old.folder) else { return }
        try there.setMode(file.mode)
        try there.setModified(file.modified)
    }

    private func setWritable(_ path: SavePath, in folder: borrowing Folder) throws(SystemError) {
        let mode = try folder.facts(of: path.name).mode
        if mode.rawValue & 0o600 != 0o600 {
            try folder.setMode(FileMode(rawValue: mode.rawValue | 0o600), of: path.name)
        }
    }

    /// Restores a file's mode and time, unless a program has written to it since.
    private func restoreFile(_ path: SavePath, _ mode: FileMode, _ time: FileTime) throws {
        // A patched file gets them with its content.
        guard staged.patches[path] == nil, let file = change.plan.base[staged.sources[path] ?? path]?.file else {
            return
        }
        try ignoring([ENOENT, ENOTDIR, ELOOP]) { () throws(SystemError) in
            let folder = try around(path)
            let facts = try folder.folder.facts(of: path.name)
            guard facts.isRegular, UInt64(facts.size) == file.size,
                [time, file.modified].contains(where: facts.modified.isKept)
            else {
                return
            }
            try folder.folder.setMode(file.mode, of: path.name)
            try folder.folder.setModified(file.modified, of: path.name)
        }
    }

    private func restoreFolders() throws {
        for entry in change.plan.base.entries.reversed() {
            guard case .folder(let mode) = entry.content else { continue }
            try ignoring([ENOENT, ENOTDIR, ELOOP]) { () throws(SystemError) in
                let folder = try around(entry.path)
                if try folder.folder.facts(of: entry.path.name).mode != mode {
                    try folder.folder.openFolder(entry.path.name).setMode(mode)
                }
            }
        }
        if try root.folder.facts().mode != change.plan.mode { try root.folder.setMode(change.plan.mode) }
    }

    // MARK: Checks

    private func around(_ path: SavePath) throws(SystemError) -> OpenFolder {
        let folder = OpenFolder(try root.folder.openFolder(beneath: path.parent?.names ?? []))
        let mode = try folder.folder.facts().mode
        if mode.rawValue & 0o300 != 0o300 { try folder.folder.setMode(FileMode(rawValue: mode.rawValue | 0o700)) }
        return folder
    }

    private func ignoring(_ numbers: Set<CInt>, _ body: () throws(SystemError) -> Void) throws(SystemError) {
        do throws(SystemError) { try body() } catch let error where numbers.contains(error.number) { return }
    }
}
