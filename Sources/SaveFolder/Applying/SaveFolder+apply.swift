import Glibc
public import History
import LinuxPlatform
public import SaveRules
import Synchronization
import Vocabulary

extension SaveFolder {
    /// Makes the folder hold what belongs here of a manifest, if it still holds what belongs here of the one that the change is
    /// meant for, but for modes and times. It is changed as a whole or not at all, whatever happens meanwhile.
    ///
    /// What is no part of the set stays where it is.
    /// - Parameters:
    ///   - target: what the folder is to hold; the history must have all its pieces, and keep them until this returns
    ///   - base: what it holds, as far as is known
    ///   - history: where the contents come from
    ///   - version: which version the target is; where it is said, the caller notes that the folder shows it, then calls ``acknowledge()``
    public func apply(
        _ target: Manifest,
        over base: Manifest,
        from history: History,
        as version: SnapshotID? = nil
    ) throws(SaveFolderError) -> ApplyOutcome {
        let (goal, base) = (place.shared(of: target), place.shared(of: base))
        return try state.withLock { state throws(SaveFolderError) in
            try mend(&state)
            changes.add(1, ordering: .acquiringAndReleasing)
            defer { changes.subtract(1, ordering: .acquiringAndReleasing) }
            return try explainingAll { try apply(goal, base, history, version, &state) }
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
        let listing = try SetListing(of: root.folder.folder, place)
        var reading = SetReading(root.inode, place, into: nil)
        let known = try state.keeper.record(notes)
        let record = try reading.read(listing, knowing: known, in: root.folder.folder)
        // Other modes and times alone are no other save: somebody has touched a file, or the disk keeps no better ones.
        guard let base = record?.manifest, base == believed || Manifest.agreement(of: base, believed) != nil else {
            return .changedMeanwhile
        }
        let goal = listing.keepsWholeSeconds ? wanted.kept(by: base) : wanted
        guard base != goal else { return .applied(goal) }
        // Where times are of whole seconds, a file that has just been written could be written again without a sign of it.
        guard listing.canShowChanges(to: base.entries.filter { $0.file != nil && goal[$0.path] != $0 }.map(\.path))
        else {
            return .changedMeanwhile
        }
        var search = WriterSearch()
        try search.look(at: listing.searched(base, goal), in: root.folder.folder)
        if case .occupied(let writers) = search.result() { return .inUse(writers) }
        let steps = ManifestDifference(from: base, to: goal).steps
        let files = FileStaging(history, flushes: Self.flushesEach(steps, goal), observe: observe)
        do {
            // What changes one path alone is whole in any case.
            let isSmall = Set(steps.map(\.path)).count == 1
            if try isSmall || staysItself(root) {
                try change(.steps, root, listing, files, base, goal, version, &state)
            } else {
                do {
                    try change(.exchange, root, listing, files, base, goal, version, &state)
                } catch is TreeStaging.Impossible {
                    try change(.steps, root, listing, files, base, goal, version, &state)
                }
            }
        } catch is SetChange.Overtaken {
            return .changedMeanwhile
        } catch let error as SetChange.InUse {
            return .inUse(error.writers)
        }
        try note(goal, &state)
        return .applied(goal)
    }

    /// Whether the folder can't be exchanged.
    private func staysItself(_ root: SetRoot) throws(SystemError) -> Bool {
        // Which of two folders is the old one nobody could say after a crash where their numbers don't stay.
        guard let parent = root.parent, try root.folder.folder.keepsNumbers() else { return true }
        // A game that stands in it would save into one that nobody has any more.
        return FolderUser.exists(in: try root.folder.folder.facts().identity, named: parent.name)
    }

    /// Few files are flushed one by one, many at once.
    private static func flushesEach(_ steps: [ManifestDifference.Step], _ goal: Manifest) -> Bool {
        steps.count <= FileStaging.flushLimit && goal.entries.count { $0.isFolder } <= FileStaging.flushLimit
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
        if case .chosen = place.extent, way == .exchange { throw TreeStaging.Impossible() }
        // Who knows what the folder holds has noted what it was changed to before.
        try acknowledge(&state)
        state.isSound = false
        let plan = ApplyPlan(way, root, from: base, to: goal, as: version)
        let journal = try ApplyJournal(plan, in: notes, failing: failing)
        observe(.journalWritten)
        let change = SetChange(journal, root, self)
        // Left by nobody that is known any more: its journal would have been there.
        try change.workshop.folder.removeTree(change.staging, names: .all, deepest: SetChange.deepestStaging)
        do {
            switch way {
            case .exchange:
                guard let exchange = TreeExchange(change) else { throw TreeStaging.Impossible() }
                try exchange.run(listing, files)
            case .steps: try StepRun(StagedSteps(making: change)).run(listing, files)
            }
        } catch {
            // What stands, stands; what is left to clear away is cleared away the next time.
            if journal.mark == .committed { return }
            try mend(&state)
            throw error
        }
        try conclude(journal.plan, &state)
        state.isSound = true
    }

    /// Notes what shows that the files are those that were put there.
    private func note(_ goal: Manifest, _ state: inout State) throws {
        let root = try openRoot()
        usleep(useconds_t(FileSeal.grain / .microseconds(1)) + 1_000)
        let listing = try SetListing(of: root, place)
        let seals = goal.entries.map { entry -> FileSeal? in
            guard let file = entry.file, case .file(let stamp) = listing[entry.path]?.kind, file.fits(stamp.facts)
            else {
                return nil
            }
            return FileSeal(stamp, at: .now)
        }
        let count = goal.entries.count { $0.file != nil }
        let record = SetRecord(root: try root.facts().inode, goal, seals)
        state.keeper.keep(record, read: goal.size.bytes, files: count, notes)
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
            preconditionFailure("changing a folder fails in no other way: \(error)")
        }
    }
}

extension SetListing {
    /// Up to so many files each is looked at before a change; of more, only those that would change.
    private static let searchLimit = 4_096

    /// Whether whatever is written to some files from now on leaves another time behind.
    fileprivate func canShowChanges(to paths: [SavePath]) -> Bool {
        paths.allSatisfy { path in
            guard case .file(let stamp) = self[path]?.kind else { return true }
            return FileSeal(stamp, at: .now) != nil
        }
    }

    /// The files that nobody may write to while the set is changed.
    fileprivate func searched(_ base: Manifest, _ goal: Manifest) -> [SavePath] {
        let paths = files.map(\.path)
        guard paths.count > Self.searchLimit else { return paths }
        return paths.filter { base[$0]?.content != goal[$0]?.content }
    }
}

extension ManifestDifference.Step {
    /// The path that it changes first.
    fileprivate var path: SavePath {
        switch self {
        case .remove(let path), .makeFolder(let path), .move(let path, _), .removeFolder(let path), .put(let path, _),
            .patch(let path, _), .link(let path, _), .setFile(let path, _, _), .setFolder(let path, _):
            path
        }
    }
}
