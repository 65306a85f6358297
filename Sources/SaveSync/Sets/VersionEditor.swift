import Ledger
public import LinuxPlatform
public import SaveRules
public import Vocabulary

/// The changes that users make to the versions of one game: they restore one, end a conflict, import an archive, or
/// have the folder scanned.
///
/// Each makes a new version, so that it can be undone in the same way.
@Engine
public final class VersionEditor {
    private let set: SaveSet
    private let versions: VersionLog
    private let steps: FolderSteps

    init(_ set: SaveSet, _ versions: VersionLog, _ steps: FolderSteps) {
        (self.set, self.versions, self.steps) = (set, versions, steps)
    }

    /// Makes a new version of the files of an old one.
    @discardableResult
    public func restore(_ snapshot: SnapshotID, note: Label? = nil) async throws -> SnapshotID {
        let (time, seal) = (set.services.clock(), set.services.seal)
        return try await set.alone {
            if let reason = set.machine.quarantine[snapshot] { throw SaveSyncError.refusedSnapshot(reason) }
            if set.machine.downloads.incomplete.contains(snapshot) { throw SaveSyncError.notWhole }
            // Retention must not drop it when the next versions are made.
            set.handle(.versions(.restoring([snapshot])))
            defer { set.handle(.versions(.restoring([]))) }
            // A save that no scan has read yet must not be lost under the restored version.
            if set.machine.problems.emptied == nil { try await steps.readSaved() }
            let left = set.machine.problems.emptied == nil ? nil : try await steps.reading(for: .request, .nothing)
            var made: [Snapshot] = []
            try await versions.commit { heads in
                // The rest of an emptied folder is stored in the same step, so that no machine applies it.
                if case .version(let manifest, let isEmpty) = left {
                    made +=
                        heads.capture(manifest, isEmpty: isEmpty, at: time, sealedBy: seal).snapshot.map { [$0] } ?? []
                }
                let done = try heads.restore(snapshot, at: time, note: note, sealedBy: seal)
                made += done.snapshots
                return (made, done.actions)
            }
            try await steps.noteEmptied(nil)
            let version = made.last?.id ?? snapshot
            set.note("save-restored", [.init("snapshot", snapshot.short), .init("made", version.short)])
            // The user looks into the folder next. If this fails now, the worker retries.
            if set.machine.heads.pending == version { await steps.show(version) }
            return version
        }
    }

    /// Ends a conflict, on all machines.
    @discardableResult
    public func resolve(_ choice: ConflictAnswer, note: Label? = nil) async throws -> SnapshotID? {
        let (time, seal) = (set.services.clock(), set.services.seal)
        return try await set.alone {
            // A save that is being written would be in conflict with the choice. No other error of the folder keeps the
            // user from choosing.
            do { try await steps.readSaved() } catch let error as SaveSyncError where error.isWriting {
                throw error
            } catch {}
            let chosen = try await conflictChoice(choice)
            var made: SnapshotID?
            try await versions.commit { heads in
                // Another version of that side may have come, or may have been scanned, meanwhile.
                var chosen = chosen
                if case .side(let id) = choice { chosen = .snapshot(heads.side(of: id)) }
                let done = try heads.resolve(chosen, at: time, note: note, sealedBy: seal)
                made = done.snapshots.last?.id
                return (done.snapshots, done.actions)
            }
            let followed = made.map { [AuditEntry.Detail("snapshot", $0.short)] } ?? []
            set.note("conflict-resolved", [.init("choice", choice.word)] + followed)
            // The user plays it next.
            if let chosen = set.machine.heads.pending, set.machine.heads.held.contains(chosen) {
                await steps.show(chosen)
            }
            return made
        }
    }

    /// True if rules merge all differences between the two sides of a conflict, for example after the user gave the
    /// game new rules.
    public func canMerge() async throws -> Bool {
        let sides = set.machine.heads.heads
        guard sides.count == 2, case .merged = try await steps.mergedManifest(of: sides[0], sides[1]) else {
            return false
        }
        return true
    }

    private func conflictChoice(_ choice: ConflictAnswer) async throws -> ConflictChoice {
        switch choice {
        case .mine: return .mine
        case .theirs: return .theirs
        case .side(let id), .version(let id): return .snapshot(id)
        case .merge(let typed):
            let (sides, favourite) = (set.machine.heads.heads, typed.map(set.machine.heads.side))
            guard sides.count == 2 else { throw ChoiceRefusal(sides.count < 2 ? .noConflict : .severalOthers) }
            guard favourite.map(sides.contains) != false else { throw SaveSyncError.nothingMergeable }
            switch try await steps.mergedManifest(
                of: sides[0],
                sides[1],
                favouring: favourite,
                namingAtMost: SaveSyncError.mostNamed + 1
            ) {
            case .merged(let pieces): return .merge(pieces)
            case .undecided(let paths): throw SaveSyncError.undecided(paths)
            case nil: throw SaveSyncError.nothingMergeable
            }
        }
    }

    /// Scans the folder now.
    /// - Parameters:
    ///   - everyByte: true to read also files whose times have not changed
    ///   - isSent: true to send a folder that lost its files as it is
    /// - Throws: an error also if a program has a file of it open for writing, because the file may hold half of a save
    public func scan(everyByte: Bool = false, sendingEmptied isSent: Bool = false) async throws {
        try await set.alone { try await steps.read(rereading: everyByte, for: .request, sendingEmptied: isSent) }
    }

    /// Makes a new version of the files in a folder of Huddle's own.
    ///
    /// - Parameters:
    ///   - files: a folder that no other program changes
    ///   - notes: another folder, for notes while the files are read
    /// - Returns: the new version, or the present one if it has the same files
    @discardableResult
    public func importFiles(
        _ files: String,
        notes: String,
        note: Label? = nil
    ) async throws -> SnapshotID {
        let (time, seal) = (set.services.clock(), set.services.seal)
        return try await set.alone {
            if let misplaced = set.machine.problems.misplaced { throw misplaced }
            // A save that no scan has read yet must not be lost under the import.
            if set.machine.problems.emptied == nil { try await steps.readSaved() }
            guard let head = set.machine.heads.ownSide.flatMap({ set.machine.heads.graph[$0] }),
                set.machine.heads.held.contains(head.id)
            else {
                throw SaveSyncError.notOne(set.entry.name)
            }
            let left = set.machine.problems.emptied == nil ? nil : try await steps.reading(for: .request, .nothing)
            let manifest = try await set.atWorker(on: .history) {
                try await $0.imported(files, notes: notes, over: head, of: set.entry)
            }
            if manifest == head.manifest, set.machine.heads.heads == [head.id] { return head.id }
            var made: [Snapshot] = []
            try await versions.commit { heads in
                // The rest of an emptied folder is stored in the same step, as for a version that is restored.
                if case .version(let held, let isEmpty) = left {
                    made += heads.capture(held, isEmpty: isEmpty, at: time, sealedBy: seal).snapshot.map { [$0] } ?? []
                }
                let done = try heads.replaceContent(manifest, at: time, note: note, sealedBy: seal)
                made += done.snapshots
                return (made, done.actions)
            }
            try await steps.noteEmptied(nil)
            let version = made.last?.id ?? head.id
            set.note("save-imported", [.init("made", version.short)])
            if set.machine.heads.pending == version { await steps.show(version) }
            return version
        }
    }

    /// Makes a new version with an archive of another machine at a path. It is applied like any other version: not
    /// while the game runs.
    ///
    /// The caller has checked the archive. It is checked once more before it is applied.
    public func deliver(
        _ archive: [UInt8],
        at path: SavePath,
        note: Label?
    ) async throws -> SnapshotID {
        let (time, seal) = (set.services.clock(), set.services.seal)
        return try await set.alone {
            // A save that no scan has read yet must not be lost under the archive.
            try await steps.readSaved()
            guard set.machine.heads.heads.count == 1,
                let head = set.machine.heads.heads.first.flatMap({ set.machine.heads.graph[$0] }),
                set.machine.heads.held.contains(head.id)
            else { throw SaveSyncError.notOne(set.entry.name) }
            let manifest = try await set.atWorker(on: .history) {
                try await $0.delivered(archive, at: path, over: head, of: set.entry)
            }
            guard manifest != head.manifest else { return head.id }
            var made: SnapshotID?
            try await versions.commit { heads in
                let done = try heads.deliver(manifest, over: head.id, at: time, note: note, sealedBy: seal)
                made = done.snapshots.last?.id
                return (done.snapshots, done.actions)
            }
            return made ?? head.id
        }
    }
}
