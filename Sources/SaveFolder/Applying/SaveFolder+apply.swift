import Glibc
public import History
import LinuxPlatform
public import SaveRules
import Synchronization
import Vocabulary

extension SaveFolder {
    /// Changes the folder to the part of a manifest that belongs to this machine, if it still holds the part of the
    /// base, except for modes and times. The folder changes as a whole or not at all.
    ///
    /// Untracked files stay.
    /// - Parameters:
    ///   - target: the new content; the history must have all its pieces until this returns
    ///   - base: the present content, as far as it is known
    ///   - history: source of the pieces
    ///   - version: ID of the target; if given, the caller stores that the folder holds it, then calls
    ///     ``acknowledge()``
    public func apply(
        _ target: Manifest,
        over base: Manifest,
        from history: History,
        as version: SnapshotID? = nil
    ) throws(SaveFolderError) -> ApplyOutcome {
        let (goal, base) = (place.shared(of: target), place.shared(of: base))
        return try state.withLock { state throws(SaveFolderError) in
            try repair(&state)
            changes.add(1, ordering: .acquiringAndReleasing)
            defer { changes.subtract(1, ordering: .acquiringAndReleasing) }
            return try explainingAll {
                try PathChange(in: self).apply(goal, base, history, version, &state)
                    ?? apply(goal, base, history, version, &state)
            }
        }
    }

    private func apply(
        _ wanted: Manifest,
        _ believed: Manifest,
        _ history: History,
        _ version: SnapshotID?,
        _ state: inout State
    ) throws -> ApplyOutcome {
        let root = try SetRoot(at: place.root)
        let doubtful = state.unread
        // Unless the change ends as planned, what the scan cache says of any file may be out of date.
        state.unread = .anything
        let listing = try SetListing(of: root.folder.folder, place)
        var reading = SetScan(root.inode, place, into: nil)
        let known = try state.keeper.record(notes)
        let record = try reading.read(listing, knowing: known, in: root.folder.folder)
        // A difference in modes and times alone is no change: a user touched a file, or the disk can't store them.
        guard let base = record?.manifest, base.holdsNoMore(than: believed) else { return .changedMeanwhile }
        let goal = listing.keepsWholeSeconds ? wanted.kept(by: base) : wanted
        guard base != goal else { return .applied(goal) }
        // With times of whole seconds, a file that was written just now could be written again unnoticed.
        guard listing.canShowChanges(to: base.entries.filter { $0.file != nil && goal[$0.path] != $0 }.map(\.path))
        else {
            return .changedMeanwhile
        }
        var search = WriterSearch()
        try search.look(at: listing.searched(base, goal), in: root.folder.folder)
        if case .occupied(let writers) = search.result() { return .inUse(writers) }
        let steps = ManifestDifference(from: base, to: goal).steps
        let files = FileStaging(history, flushes: FileStaging.flushesEach(steps, goal), observe: observe)
        var unchanged = UnchangedFiles.untouched(record)
        do {
            // A change of a single path is atomic in any case.
            let isSmall = Set(steps.map(\.path)).count == 1
            if try !isSmall && !staysItself(root) {
                do {
                    try change(.exchange, root, listing, files, base, goal, version, &state)
                    unchanged = .exchanged
                } catch is TreeStaging.Impossible { unchanged = .linked(record) }
            }
            if !unchanged.areExchanged { try change(.steps, root, listing, files, base, goal, version, &state) }
        } catch is SetChange.Overtaken {
            return .changedMeanwhile
        } catch let error as SetChange.InUse {
            return .inUse(error.writers)
        }
        var unread = try note(goal, unchanged, &state)
        if case .only = unread {
            var looked = reading.filesRead
            if case .only(let paths) = doubtful { looked += paths.filter { goal[$0]?.file != nil } }
            unread.formUnion(try HeardPaths(of: self).mayChangeUnheard(looked, reading, in: openRoot()))
        }
        state.unread = unread
        return .applied(goal)
    }

    /// True if the folder can't be exchanged.
    private func staysItself(_ root: SetRoot) throws(SystemError) -> Bool {
        if case .chosen = place.extent { return true }
        // If inode numbers are not stable, the old folder could not be recognised after a crash.
        guard let parent = root.parent, try FileSystem(of: root.folder.folder).keepsNumbers else { return true }
        // A game with this working folder would save into a folder that is no longer its own.
        return FolderUser.exists(in: try root.folder.folder.facts().identity, named: parent.name)
    }

    private func change(
        _ way: ApplyPlan.Way,
        _ root: SetRoot,
        _ listing: SetListing,
        _ files: FileStaging,
        _ base: Manifest,
        _ goal: Manifest,
        _ version: SnapshotID?,
        _ state: inout State
    ) throws {
        let plan = ApplyPlan(way, root, from: base, to: goal, as: version)
        try change(plan, root, .whole(listing), files, &state) { change in
            guard let exchange = TreeExchange(change) else { throw TreeStaging.Impossible() }
            try exchange.run(listing, files)
        }
    }

    func change(
        _ plan: ApplyPlan,
        _ root: SetRoot,
        _ sight: FolderSight,
        _ files: FileStaging,
        _ state: inout State,
        exchanging exchange: (SetChange) throws -> Void
    ) throws {
        let way = plan.way
        // A caller that knows the content has stored the previous change already.
        try acknowledge(&state)
        state.isJournalChecked = false
        let journal = try ApplyJournal(plan, in: notes, failing: failing)
        observe(.journalWritten)
        let change = SetChange(journal, root, self)
        // Left by an unknown change: otherwise its journal would exist.
        try change.stagingParent.folder.removeTree(change.staging, names: .all, deepest: SetChange.deepestStaging)
        do {
            switch way {
            case .exchange: try exchange(change)
            case .steps: try StepRun(StagedSteps(making: change)).run(sight, files)
            }
        } catch {
            // A final change stays; the remaining cleanup is done the next time.
            if journal.mark == .committed { return }
            try repair(&state)
            throw error
        }
        try conclude(journal.plan, &state)
        state.isJournalChecked = true
    }

    /// Stores the fingerprints of the files that were put there.
    ///
    /// - Returns: the files that the scan cache may have wrong; anything unless the folder has what it should have and
    ///   the watch hears every later change
    private func note(_ goal: Manifest, _ unchanged: UnchangedFiles, _ state: inout State) throws -> ChangedPaths {
        let root = try openRoot()
        usleep(useconds_t(FileFingerprint.grain / .microseconds(1)) + 1_000)
        let heard = HeardPaths(of: self)
        // The listing shows what was heard up to now. What comes later is heard again.
        var isListening = false
        if case .untouched(.some) = unchanged { isListening = try heard.hear(root, &state) != nil }
        let listing = try SetListing(of: root, place)
        let (fingerprints, unread) = unchanged.fingerprints(of: goal, listing)
        let changed = goal.differences(from: unchanged.before?.manifest ?? .empty).compactMap(\.new?.file)
        let record = ScanCache(root: try root.facts().inode, goal, fingerprints)
        state.keeper.keep(record, read: changed.reduce(0) { $0 + $1.size }, files: changed.count, notes)
        guard isListening, listing.shows(goal), try heard.areAll(of: listing, in: root) else { return .anything }
        // This counts as a scan of everything, so it leaves what such a scan leaves.
        state.leftOut = LeftOutFiles(listing.leftOut, count: listing.leftOutCount)
        try state.disk.note(root, notes)
        return unread
    }

    func end() throws(SystemError) {
        try ApplyJournal.remove(from: notes)
        observe(.ended)
    }

    func explainingAll<Value>(_ body: () throws -> Value) throws(SaveFolderError) -> Value {
        do {
            return try body()
        } catch let error as SaveFolderError {
            throw error
        } catch let error as SystemError {
            throw SaveFolderError(error, at: place.root)
        } catch let error as HistoryError {
            throw SaveFolderError(error)
        } catch {
            preconditionFailure("unexpected error of changing a folder: \(error)")
        }
    }
}

extension FileStaging {
    /// True for few files, which are flushed one by one; many are flushed at once.
    fileprivate static func flushesEach(_ steps: [ManifestDifference.Step], _ goal: Manifest) -> Bool {
        steps.count <= flushLimit && goal.entries.count { $0.isFolder } <= flushLimit
    }
}
