import Glibc
import LinuxPlatform
public import SaveRules
import Synchronization
import Vocabulary

extension SaveFolder {
    /// Ends a change that a crash interrupted: finishes or undoes it. Reading and applying do so as well; at the start
    /// of a program this reports the result.
    ///
    /// - Throws: also if the folder is missing; nothing is read or changed until it exists
    @discardableResult
    public func recover() throws(SaveFolderError) -> Recovery {
        try state.withLock { state throws(SaveFolderError) in try repair(&state) }
    }

    @discardableResult
    func repair(_ state: inout State) throws(SaveFolderError) -> Recovery {
        guard !state.isJournalChecked else { return .nothing }
        let path = try explaining(place.root) { () throws(SystemError) in try notes.currentPath() }
        guard let journal = try ApplyJournal(leftIn: notes, path: path, failing: failing) else {
            state.isJournalChecked = true
            return .nothing
        }
        changes.add(1, ordering: .acquiringAndReleasing)
        defer { changes.subtract(1, ordering: .acquiringAndReleasing) }
        let recovery = try explainingAll { try recover(journal, &state) }
        state.isJournalChecked = true
        return recovery
    }

    private func recover(_ journal: ApplyJournal, _ state: inout State) throws -> Recovery {
        try journal.confirm()
        let plan = journal.plan
        let root: SetRoot
        do throws(SystemError) { root = try SetRoot(at: plan.root) } catch {
            guard error.number == ENOENT, let here = try? SetRoot(at: place.root), here.path != plan.root else {
                throw error
            }
            return try setAside(journal, &state)
        }
        let change = SetChange(journal, root, self)
        let recovery: Recovery
        switch plan.way {
        case .exchange: recovery = try recoverExchange(change, &state)
        case .steps: recovery = try recoverSteps(change, &state)
        }
        // Otherwise an empty folder could be one whose disk is not mounted.
        if plan.way == .exchange, plan.goal.entries.isEmpty, case .finished = recovery {
            try state.keeper.forget(notes)
        }
        try change.clear()
        // The previous folder says nothing about the present folder of the game.
        if case .finished = recovery, (try? SetRoot(at: place.root))?.path == plan.root {
            try conclude(plan, &state)
        } else {
            try end()
        }
        return recovery
    }

    /// Handles a game that moved while its previous folder is missing. It may be the same folder or not: a scan finds
    /// its version. Entries beside the previous place stay, because they may be untracked files.
    private func setAside(_ journal: ApplyJournal, _ state: inout State) throws -> Recovery {
        guard journal.mark != .changing, journal.mark != .takingBack else {
            throw SaveFolderError.interruptedElsewhere(journal.plan.root)
        }
        try end()
        state.isJournalChecked = true
        let left = SetChange.stagingPath(of: set, beside: journal.plan.root)
        if (try? FileFacts(at: left)) != nil { throw SaveFolderError.leftBehind(left) }
        return journal.mark == .committed ? .finished : .undone
    }

    /// Ends a change that is final. A caller that gave a version must still store that the folder holds it.
    func conclude(_ plan: ApplyPlan, _ state: inout State) throws(SystemError) {
        state.changedTo = plan.version
        if plan.version == nil { try end() }
    }

    /// The version that the folder was changed to, if ``acknowledge()`` was not called since, also before a crash.
    /// Later writes of a program follow that version.
    public func changedTo() throws(SaveFolderError) -> SnapshotID? {
        try state.withLock { state throws(SaveFolderError) in
            try repair(&state)
            return state.changedTo
        }
    }

    /// Confirms that the caller has durably stored which version the folder holds.
    public func acknowledge() throws(SaveFolderError) {
        try state.withLock { state throws(SaveFolderError) in
            try repair(&state)
            try explaining(place.root) { () throws(SystemError) in try acknowledge(&state) }
        }
    }

    func acknowledge(_ state: inout State) throws(SystemError) {
        guard state.changedTo != nil else { return }
        try end()
        state.changedTo = nil
    }

    private func recoverSteps(_ change: SetChange, _ state: inout State) throws -> Recovery {
        guard change.journal.mark != .committed else { return .finished }
        guard change.journal.mark == .changing else { return .undone }
        // If inode numbers change with each mount, a folder at the same path with the staging beside it is the same
        // one.
        let keepsNumbers = try FileSystem(of: change.root.folder.folder).keepsNumbers
        if change.root.inode != change.plan.inode, keepsNumbers { throw SaveFolderError.notTheFolder(change.plan.root) }
        if let staged = try StagedSteps(leftBy: change) {
            try StepUndo(staged).run()
        } else if try state.disk.before(notes) != nil,
            try !keepsNumbers || state.disk.isElsewhere(change.root.folder.folder, sameNumber: isSame(change), notes)
        {
            // If a user confirmed this folder, no disk is known.
            try requireKnown(change)
        }
        return .undone
    }

    private func isSame(_ change: SetChange) -> Bool { change.root.inode == change.plan.inode }

    /// The folder of the change may be on a similar disk that is not mounted. In this one at least one file must match
    /// the content before or after the change.
    private func requireKnown(_ change: SetChange) throws(SaveFolderError) {
        let listing = try SetListing(of: change.root.folder.folder, place)
        let isKnown = (change.plan.base.entries + change.plan.goal.entries).contains { entry in
            guard let file = entry.file, case .file(let stamp)? = listing[entry.path]?.kind else { return false }
            return file.fits(stamp.facts)
        }
        guard isKnown else { throw SaveFolderError.nothingKnown(change.plan.root) }
    }

    private func recoverExchange(_ change: SetChange, _ state: inout State) throws -> Recovery {
        guard let mark = change.journal.mark, mark != .takenBack else { return .undone }
        guard let exchange = TreeExchange(change) else { throw SaveFolderError.notTheFolder(change.plan.root) }
        if try state.disk.isElsewhere(change.root.folder.folder, sameNumber: isSame(change), notes) {
            try requireKnown(change)
        }
        if change.root.inode == change.plan.inode {
            try exchange.finishUndo()
            return .undone
        }
        if change.journal.mark == .committed {
            try exchange.finish()
            return .finished
        }
        let old: Folder
        do throws(SystemError) { old = try exchange.parent.folder.openFolder(change.staging) } catch {
            guard error.number == ENOENT else { throw error }
            // A user removed it, as the error about two changed states advises.
            return try stay(change, &state)
        }
        guard try old.facts().inode == change.plan.inode else { throw SaveFolderError.notTheFolder(change.plan.root) }
        if mark == .takingBack {
            try exchange.undo()
            return .undone
        }
        // Of the two states, the one without later changes can go: the history has it. Files that are the same in both
        // are in either.
        let (before, after) = (try SetListing(of: old, place), try SetListing(of: change.root.folder.folder, place))
        if before.seems(change.plan.base, sharing: after) {
            try change.commit()
            try exchange.finish()
            return .finished
        }
        guard after.seems(change.plan.goal, leaving: change.plan.foldersLeft, sharing: before) else {
            throw SaveFolderError.bothChanged(change.plan.root, change.stagingPath)
        }
        try exchange.undo()
        return .undone
    }

    /// Handles that the other folder is missing: the content in the game's folder stays, and is scanned again.
    private func stay(_ change: SetChange, _ state: inout State) throws -> Recovery {
        let listing = try SetListing(of: change.root.folder.folder, place)
        // An empty folder may be the mount point of a missing disk.
        guard !listing.entries.isEmpty || change.plan.goal.entries.isEmpty else {
            throw SaveFolderError.notTheFolder(change.plan.root)
        }
        // Files that a game created on the disk below are not part of the save.
        if try state.disk.isElsewhere(change.root.folder.folder, sameNumber: isSame(change), notes) {
            throw SaveFolderError.notTheFolder(change.plan.root)
        }
        if listing.entries.isEmpty { try state.keeper.forget(notes) }
        return .undone
    }
}
