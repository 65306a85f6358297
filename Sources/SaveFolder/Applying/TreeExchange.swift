import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// Changes a game's folder by building a whole new folder beside it, and swapping the two. A program sees all of the
/// old or all of the new.
struct TreeExchange {
    let change: SetChange
    /// The parent folder of the game's folder, and the name of the game's folder in it.
    let parent: OpenFolder
    let name: FileName

    /// Nil if the parent folder can't be used.
    init?(_ change: SetChange) {
        guard let parent = change.root.parent else { return nil }
        (self.change, self.parent, name) = (change, parent.folder, parent.name)
    }

    /// - Parameters:
    ///   - listing: the listing of the game's folder
    ///   - files: writer of new files
    func run(_ listing: SetListing, _ files: FileStaging) throws {
        let staged = try parent.folder.createFolder(change.staging)
        var tree = TreeStaging(change.plan, change.root, change.place, files)
        try tree.fill(staged)
        try parent.folder.sync()
        try change.announce()
        // A program that begins to save from now on waits until the change is final or undone. It never opens files of
        // both folders.
        let held = HeldFiles(change.leavingFiles, in: change.root.folder.folder)
        try requireUnchanged(change.root.folder.folder, listing)
        do {
            try exchange()
        } catch {
            guard [EINVAL, ENOSYS, EBUSY, EXDEV].contains(error.number) else { throw error }
            throw TreeStaging.Impossible()
        }
        change.observe(.exchanged)
        try withExtendedLifetime(held) { try settle(listing, held) }
        try finish()
    }

    /// Makes the change final, unless a program has changed something at the last moment.
    private func settle(_ listing: SetListing, _ held: HeldFiles) throws {
        do {
            // Files that were opened and written at the last moment are in the old folder, which no program finds from
            // now on.
            try requireUnchanged(change.root.folder.folder, listing)
            try parent.folder.sync()
            // A program with an open old folder may wait to write there. The file that it waits for must not be
            // removed.
            if held.isWanted { throw SetChange.InUse(writers: []) }
            try change.commit()
        } catch {
            try change.abandon()
            try undo()
            throw error
        }
    }

    private func requireUnchanged(_ old: borrowing Folder, _ listing: SetListing) throws {
        try change.requireUnused(change.leavingFiles, in: old)
        guard try SetListing(of: old, change.place).isLike(listing) else { throw SetChange.Overtaken() }
    }

    private func exchange() throws(SystemError) {
        try parent.folder.exchange(name, with: change.staging, in: parent.folder)
    }

    /// Puts the old folder back, with the writes of programs in the new one.
    func undo() throws {
        // If this fails now, as on a full disk, it is tried again below, and after that at the next check of the
        // folder.
        let left = try? keepConcurrentWrites()
        change.observe(.takingBack)
        try exchange()
        change.observe(.stepTakenBack)
        try parent.folder.sync()
        try finishUndo(to: left)
    }

    /// Copies the writes, also after a crash interrupted it.
    ///
    /// - Returns: the listing of the old folder before it returns
    private func keepConcurrentWrites() throws -> SetListing {
        // From now on neither of the two matches the journal.
        if change.journal.mark != .takingBack { try change.journal.note(.takingBack) }
        let old = try parent.folder.openFolder(change.staging)
        let new = try parent.folder.openFolder(name)
        // A program that saves now continues during this check.
        for _ in 0..<3 where try !ConcurrentWrites(change).copy(from: new, into: old, .hidden) { continue }
        var untracked = UntrackedFiles(change.place)
        try linkUntracked(&untracked, new, old)
        return try SetListing(of: old, change.place)
    }

    /// Ends the undo: the old folder is in its place. The new one is removed once the old one has all its writes.
    ///
    /// - Parameter left: the listing of the old folder at its return, if it is known
    func finishUndo(to left: SetListing? = nil) throws {
        if let staged = try? parent.folder.openFolder(change.staging) {
            let old = try parent.folder.openFolder(name)
            guard try ConcurrentWrites(change).copy(from: staged, into: old, .back(left)) else {
                throw SaveFolderError.bothChanged(change.plan.root, change.stagingPath)
            }
        }
        try change.journal.note(.takenBack)
        change.observe(.takenBack)
    }

    /// Removes the old folder, after later untracked files were linked into the new one.
    func finish() throws {
        do {
            let old = try parent.folder.openFolder(change.staging)
            let new = try parent.folder.openFolder(name)
            var untracked = UntrackedFiles(change.place)
            try linkUntracked(&untracked, old, new)
        } catch {
            // It may have been removed before a crash.
            guard error.number == ENOENT else { throw error }
        }
        try change.clear()
    }

    private func linkUntracked(
        _ untracked: inout UntrackedFiles,
        _ old: borrowing Folder,
        _ new: borrowing Folder
    ) throws(SystemError) {
        do {
            try untracked.link(from: old, into: new, again: true)
        } catch let error as SystemError {
            throw error
        } catch {
            // The entry in the way is newer than the entry that it hides.
        }
    }
}
