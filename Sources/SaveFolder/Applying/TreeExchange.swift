import Glibc
import History
import LinuxPlatform
import SaveRules
import Vocabulary

/// Changes a set by making its whole folder anew beside it and letting the two take each other's place. Whoever looks at the set
/// sees all of the old or all of the new.
struct TreeExchange {
    let change: SetChange
    /// The folder around the set's, and what the set's is called there.
    let parent: OpenFolder
    let name: FileName

    /// Nil where the folder around can't be used.
    init?(_ change: SetChange) {
        guard let parent = change.root.parent else { return nil }
        (self.change, self.parent, name) = (change, parent.folder, parent.name)
    }

    /// - Parameters:
    ///   - listing: how the set was found
    ///   - files: what writes the new files
    func run(_ listing: SetListing, _ files: FileStaging) throws {
        let staged = try parent.folder.createFolder(change.staging)
        var tree = TreeStaging(change.plan, change.root, change.place, files)
        try tree.fill(staged)
        try parent.folder.sync()
        try change.announce()
        // A program that begins to save from here on waits until the change stands or is taken back, and never sees the one folder after
        // it has opened a file of the other.
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

    /// The change stands, unless somebody has done something in the instant before.
    private func settle(_ listing: SetListing, _ held: HeldFiles) throws {
        do {
            // What was opened and written in the instant before is found in the old folder, which nobody finds any more.
            try requireUnchanged(change.root.folder.folder, listing)
            try parent.folder.sync()
            // A program that stands in the old folder may want to write there since. What it waits for must not be removed.
            if held.isWanted { throw SetChange.InUse(writers: []) }
            try change.commit()
        } catch {
            try change.forsake()
            try takeBack()
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

    /// Puts the old folder back where it was, with what programs have done in the new one meanwhile.
    func takeBack() throws {
        // Where that can't be had now, as on a full disk, it is tried again below, and after that with the next look at the folder.
        let left = try? keepLateWrites()
        change.observe(.takingBack)
        try exchange()
        change.observe(.stepTakenBack)
        try parent.folder.sync()
        try settleBack(to: left)
    }

    /// Also where a crash interrupted it.
    ///
    /// - Returns: how the old folder is before it comes back
    private func keepLateWrites() throws -> SetListing {
        // From here on neither of the two is what the journal says.
        if change.journal.mark != .takingBack { try change.journal.note(.takingBack) }
        let old = try parent.folder.openFolder(change.staging)
        let new = try parent.folder.openFolder(name)
        // Who saves right now goes on doing so while this looks.
        for _ in 0..<3 where try !LateWrites(change).bring(from: new, into: old, .hidden) { continue }
        var strays = Strays(change.place)
        try bring(&strays, new, old)
        return try SetListing(of: old, change.place)
    }

    /// The old folder is where it was. The new one can go as soon as the old one has all that programs have done in it.
    ///
    /// - Parameter left: how the old one came back, where that is known
    func settleBack(to left: SetListing? = nil) throws {
        if let staged = try? parent.folder.openFolder(change.staging) {
            let old = try parent.folder.openFolder(name)
            guard try LateWrites(change).bring(from: staged, into: old, .back(left)) else {
                throw SaveFolderError.bothChanged(change.plan.root, change.stagingPath)
            }
        }
        try change.journal.note(.takenBack)
        change.observe(.takenBack)
    }

    /// Removes the old folder, once what has come into it since and is no part of the set was brought over.
    func finish() throws {
        do {
            let old = try parent.folder.openFolder(change.staging)
            let new = try parent.folder.openFolder(name)
            var strays = Strays(change.place)
            try bring(&strays, old, new)
        } catch {
            // It may have been removed before a crash.
            guard error.number == ENOENT else { throw error }
        }
        try change.clear()
    }

    private func bring(
        _ strays: inout Strays,
        _ old: borrowing Folder,
        _ new: borrowing Folder
    ) throws(SystemError) {
        do {
            try strays.bring(from: old, into: new, again: true)
        } catch let error as SystemError {
            throw error
        } catch {
            // What stands in the way came later than what it hides.
        }
    }
}
