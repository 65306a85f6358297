import Glibc
import LinuxPlatform
public import SaveRules
import Synchronization
import Vocabulary

extension SaveFolder {
    /// Ends the change that a crash interrupted, one way or the other. Reading and changing do so by themselves; at the start of a
    /// program it says what was found.
    ///
    /// - Throws: also where the folder is not there now; nothing is read or changed until it is
    @discardableResult
    public func recover() throws(SaveFolderError) -> Recovery {
        try state.withLock { state throws(SaveFolderError) in try mend(&state) }
    }

    @discardableResult
    func mend(_ state: inout State) throws(SaveFolderError) -> Recovery {
        guard !state.isSound else { return .nothing }
        let path = try explaining(place.root) { () throws(SystemError) in try notes.currentPath() }
        guard let journal = try ApplyJournal(leftIn: notes, path: path, failing: failing) else {
            state.isSound = true
            return .nothing
        }
        changes.add(1, ordering: .acquiringAndReleasing)
        defer { changes.subtract(1, ordering: .acquiringAndReleasing) }
        let recovery = try explainingAll { try recover(journal, &state) }
        state.isSound = true
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
        // Else an empty folder would pass for one whose disk is away.
        if plan.way == .exchange, plan.goal.entries.isEmpty, case .finished = recovery {
            try state.keeper.forget(notes)
        }
        try change.clear()
        // What the former folder shows says nothing of where the set lies now.
        if case .finished = recovery, (try? SetRoot(at: place.root))?.path == plan.root {
            try conclude(plan, &state)
        } else {
            try end()
        }
        return recovery
    }

    /// The set lies elsewhere now, and the folder that was being changed is not where it was. Whether it is the same folder nobody knows: which
    /// version it holds is found by reading it. What lies beside the former place stays, for it may hold what is no part of the set.
    private func setAside(_ journal: ApplyJournal, _ state: inout State) throws -> Recovery {
        guard journal.mark != .changing, journal.mark != .takingBack else {
            throw SaveFolderError.interruptedElsewhere(journal.plan.root)
        }
        try end()
        state.isSound = true
        let left = SetChange.stagingPath(of: set, beside: journal.plan.root)
        if (try? FileFacts(at: left)) != nil { throw SaveFolderError.leftBehind(left) }
        return journal.mark == .committed ? .finished : .undone
    }

    /// The change stands. Whoever asked for it to be known as a version has yet to note that it is the one shown.
    func conclude(_ plan: ApplyPlan, _ state: inout State) throws(SystemError) {
        state.changedTo = plan.version
        if plan.version == nil { try end() }
    }

    /// Which version the folder was changed to, where nobody has called ``acknowledge()`` since, also before a crash. What a program has
    /// written since then follows that version.
    public func changedTo() throws(SaveFolderError) -> SnapshotID? {
        try state.withLock { state throws(SaveFolderError) in
            try mend(&state)
            return state.changedTo
        }
    }

    /// The caller has noted, safe from a power cut, which version the folder shows.
    public func acknowledge() throws(SaveFolderError) {
        try state.withLock { state throws(SaveFolderError) in
            try mend(&state)
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
        // Where numbers are made anew with each mount, what lies at the same path, and beside it what is needed here, is the folder.
        let keepsNumbers = try change.root.folder.folder.keepsNumbers()
        if change.root.inode != change.plan.inode, keepsNumbers { throw SaveFolderError.notTheFolder(change.plan.root) }
        if let staged = try StagedSteps(leftBy: change) {
            try StepUndo(staged).run()
        } else if try diskBefore(&state) != nil,
            try !keepsNumbers || isElsewhere(change.root.folder.folder, sameNumber: isSame(change), &state)
        {
            // Where a person has said that this folder is meant, no disk is known.
            try requireKnown(change)
        }
        return .undone
    }

    private func isSame(_ change: SetChange) -> Bool { change.root.inode == change.plan.inode }

    /// The folder of the change may lie on a disk like this one that is not in now: in this one some file has to be as it was before the change or was
    /// to be after it.
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
        if try isElsewhere(change.root.folder.folder, sameNumber: isSame(change), &state) { try requireKnown(change) }
        if change.root.inode == change.plan.inode {
            try exchange.settleBack()
            return .undone
        }
        if change.journal.mark == .committed {
            try exchange.finish()
            return .finished
        }
        let old: Folder
        do throws(SystemError) { old = try exchange.parent.folder.openFolder(change.staging) } catch {
            guard error.number == ENOENT else { throw error }
            // Somebody has removed it, as he was told where programs had changed both.
            return try stay(change, &state)
        }
        guard try old.facts().inode == change.plan.inode else { throw SaveFolderError.notTheFolder(change.plan.root) }
        if mark == .takingBack {
            try exchange.takeBack()
            return .undone
        }
        // Of the two states the one that nobody has changed since can go: it is in the history. What is the same file in both is
        // in either.
        let (before, after) = (try SetListing(of: old, place), try SetListing(of: change.root.folder.folder, place))
        if before.seems(change.plan.base, sharing: after) {
            try change.commit()
            try exchange.finish()
            return .finished
        }
        guard after.seems(change.plan.goal, leaving: change.plan.foldersLeft, sharing: before) else {
            throw SaveFolderError.bothChanged(change.plan.root, change.stagingPath)
        }
        try exchange.takeBack()
        return .undone
    }

    /// There is no other folder any more: what is in the set's place stays, and is read anew.
    private func stay(_ change: SetChange, _ state: inout State) throws -> Recovery {
        let listing = try SetListing(of: change.root.folder.folder, place)
        // A folder with nothing in it may be where a disk is mounted that is away.
        guard !listing.entries.isEmpty || change.plan.goal.entries.isEmpty else {
            throw SaveFolderError.notTheFolder(change.plan.root)
        }
        // What a game has made on the disk below it is not the set's.
        if try isElsewhere(change.root.folder.folder, sameNumber: isSame(change), &state) {
            throw SaveFolderError.notTheFolder(change.plan.root)
        }
        if listing.entries.isEmpty { try state.keeper.forget(notes) }
        return .undone
    }
}
