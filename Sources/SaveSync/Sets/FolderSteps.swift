import History
import Ledger
import LinuxPlatform
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// The steps of the work on a game's folder. The caller holds ``SaveSet/work``.
@Engine final class FolderSteps {
    private let set: SaveSet
    private let versions: VersionLog
    private let pruner: VersionPruner
    private let program: GameProgram

    init(_ set: SaveSet, _ versions: VersionLog, _ pruner: VersionPruner, _ program: GameProgram) {
        (self.set, self.versions, self.pruner, self.program) = (set, versions, pruner, program)
    }

    /// Scans the folder, and makes a version if it has changed.
    func readFolder(_ order: FolderWork.Order) async {
        let rereads = order.readsEveryByte
        await program.look()
        do {
            try await read(rereading: rereads, for: order.asksForWriter ? .request : .change)
            set.handle(.play(.savedWasRead))
            if rereads, !set.machine.downloads.incomplete.isEmpty { set.carryOut(set.update { $0.search() }) }
        } catch let error as SaveSyncError where error.isWriting {
            // The watch reports when the folder has settled. This is no problem, because each version that is applied
            // changes the folder, too.
            set.handle(.folder(.scanPostponed(ofEveryByte: rereads)))
            // The watch may not know yet which program writes, or may have said already that the folder has settled.
            if error.code == SaveSyncError.beingWrittenCode { await set.services.places.lookAgain(at: set.id) }
        } catch {
            set.handle(.play(.savedWasRead))
            set.tell(trouble: error, in: .scanning)
            set.handle(.folder(.scanFailed(ofEveryByte: rereads)))
        }
    }

    /// Scans the folder, and makes a version if it has changed. Throws errors to the caller.
    /// - Parameters:
    ///   - cause: the reason for the scan; after a request it looks first for a program that writes there
    ///   - isSent: true if the user decided that a folder that lost its files is sent as it is
    /// - Throws: ``SaveSyncError/folderStirs`` if it changed meanwhile
    func read(
        rereading: Bool = false,
        for cause: FolderWorker.Cause = .change,
        sendingEmptied isSent: Bool = false
    ) async throws {
        let holding: FolderWorker.Holding =
            isSent ? .nothing : set.machine.problems.emptied == nil ? .emptying : .everything
        let reading = try await reading(rereading: rereading, for: cause, holding)
        let (time, seal) = (set.services.clock(), set.services.seal)
        guard case .version(let manifest, let isEmpty) = reading else {
            if case .emptied(let found) = reading { try await noteEmptied(found) }
            return wasRead()
        }
        var captured: SnapshotID?
        try await versions.commit { heads in
            // After a crash, a version may be stored that was not yet entered as the one that the folder shows.
            if let same = heads.heads.first(where: { heads.graph[$0]?.manifest == manifest }) {
                return heads.applied == same ? ([], []) : ([], heads.applied(same))
            }
            // If the ledger was damaged, it no longer says what the folder shows. A version with the same files may be
            // it.
            if heads.applied == nil, let same = heads.graph.heads(among: heads.holding(manifest)).first {
                return ([], heads.applied(same))
            }
            let (snapshot, actions) = heads.capture(manifest, isEmpty: isEmpty, at: time, sealedBy: seal)
            captured = snapshot?.id
            return (snapshot.map { [$0] } ?? [], actions)
        }
        try await noteEmptied(nil)
        wasRead()
        guard let captured else {
            await set.atWorker(on: .history) { await $0.letGo(of: set.id) }
            return await holdShown()
        }
        set.tell(.captured(captured))
        await pruner.keepRoom()
    }

    /// Scans what a game has saved at its end. A process of the game that ends later, or another program to which it
    /// left the save, may write on for a while.
    func readLast() async throws {
        let end = ContinuousClock.Instant.current + Self.writingOn
        while true {
            let asks = ContinuousClock.Instant.current < end
            do {
                return try await set.alone { try await read(for: asks ? .request : .end) }
            } catch let error as SaveSyncError where error.isWriting && asks {
                try await Engine.loop.sleep(for: .milliseconds(set.entry.settleMilliseconds))
            }
        }
    }

    /// The time for which a game may write after its end before other machines may play.
    private static let writingOn = Duration.seconds(10)

    /// Notes that a scan has read the whole folder.
    private func wasRead() {
        set.handle(.folder(.scanWorked))
        noteLeftOut(set.place.leftOut)
    }

    /// Notes which files the folder has lost; nil if nothing is held back.
    func noteEmptied(_ found: EmptiedSave?) async throws {
        let before = set.machine.problems.emptied
        guard found != before else { return }
        // After a restart, what the game saves next must not count as a successor of the version with the files.
        if (found == nil) != (before == nil) {
            try await set.services.ledger.saveSets.noteEmptied(found != nil, set.id)
        }
        set.handle(.folder(.emptied(found)))
        if let found { set.tell(.emptied(found)) }
    }

    func reading(
        rereading: Bool = false,
        for cause: FolderWorker.Cause = .change,
        _ holding: FolderWorker.Holding
    ) async throws -> FolderWorker.Reading {
        let reading: FolderWorker.Reading?
        guard set.machine.life != .left else { throw SaveSet.Left() }
        if let misplaced = set.machine.problems.misplaced { throw misplaced }
        do {
            try await requireOwnPlace()
            try await enterChange()
            reading = try await set.atWorker { worker in
                try await worker.read(
                    set.place,
                    of: set.entry,
                    after: set.machine.shown,
                    beside: set.machine.heads.newestHeld,
                    by: set.services.node.id,
                    rereading: rereading,
                    for: cause,
                    holding: holding
                )
            }
        } catch {
            if let error = error as? any ExplainedError, (error as? SaveSyncError)?.isWriting != true {
                set.handle(.folder(.problem(error, of: .scanning, telling: false)))
            }
            await fetchAgain(after: error)
            await tellRead(.failed)
            throw error
        }
        let isStill = await tellRead(reading == nil ? .stirred : .whole)
        guard let reading, isStill else { throw SaveSyncError.folderStirs }
        return reading
    }

    /// Tells the watch how a scan ended. Returns true if nothing is known to have changed meanwhile.
    @discardableResult private func tellRead(_ outcome: FolderReadOutcome) async -> Bool {
        let isStill = await set.services.places.wasRead(set.id, outcome)
        set.handle(.folder(.scanEnded))
        return isStill
    }

    /// Stores again the version that the folder shows, if the history has lost it. This happens, for example, after a
    /// user put back a backup.
    private func holdShown() async {
        guard let shown = set.machine.shown, !set.machine.heads.held.contains(shown.id),
            await !set.services.store.restored([shown]).isEmpty
        else { return }
        do { try await versions.commit { ([], $0.hold(shown.id)) } } catch { set.tell(trouble: error) }
    }

    /// Notes the files that can't be part of the game. Tells the user each time their number changes.
    private func noteLeftOut(_ now: LeftOutFiles) {
        let before = set.leftOut
        set.leftOut = now
        if now.count != before.count { set.tell(.leftOut(now)) }
    }

    /// Scans the folder, but not while a program writes there. Half of a save may be there then.
    func readSaved(rereading: Bool = false) async throws { try await read(rereading: rereading, for: .request) }

    /// Throws an error if a symbolic link on the way to the folder now leads to a reserved place.
    private func requireOwnPlace() async throws {
        let refusal = await set.atWorker { await $0.refusal(of: set.entry, by: set.services.placement.reserved) }
        guard let refusal else { return }
        throw refusal.turned(in: set.entry.name)
    }

    /// Applies a version, if nothing prevents that.
    func show(_ wanted: SnapshotID) async {
        set.handle(.folder(.applyBegins(wanted)))
        guard let target = set.machine.heads.graph[wanted], set.machine.quarantine[wanted] == nil else { return }
        guard set.machine.problems.misplaced == nil, set.machine.problems.emptied == nil,
            set.machine.mayPut(target)
        else { return }
        await program.look()
        guard set.machine.play.mayApply else { return set.tell(.heldBack(wanted, "the game runs on this machine")) }
        do {
            try await requireOwnPlace()
            try await enterChange()
            guard set.machine.heads.pending == wanted else { return }
            // A game may have begun in this moment, or the user may have paused it.
            guard set.machine.mayPut(target) else { return }
            guard set.machine.play.mayApply else { return set.tell(.heldBack(wanted, "the game runs on this machine")) }
            let outcome = try await change(to: target)
            // The folder can be read again.
            set.handle(.folder(.applyAnswered))
            switch outcome {
            case .refused(let reason): try await quarantine(target, because: reason)
            case .changed(.done):
                try await enter(wanted)
                set.handle(.folder(.applyWorked))
            case .changed(.changedMeanwhile):
                set.handle(.folder(.scanWanted()))
                // If the scan finds nothing new, the folder was changed back, and the version can be applied.
                set.handle(.folder(.applyFailed))
            case .changed(.inUse(let who)):
                set.tell(.heldBack(wanted, who))
                set.handle(.folder(.applyFailed))
                await lookForWriters(of: wanted)
            }
        } catch {
            set.tell(trouble: error, in: .applying)
            set.handle(.folder(.applyFailed))
        }
    }

    /// Applies a version. No game begins meanwhile.
    private func change(to target: Snapshot) async throws -> FolderWorker.Outcome {
        set.handle(.folder(.changes(true)))
        defer { set.handle(.folder(.changes(false))) }
        return try await set.atWorker {
            try await $0.show(target, in: set.place, over: set.machine.shown, set.services.bounds)
        }
    }

    /// Looks for a program that has a file open and has not written yet. The watch looks for it only if a version is to
    /// be applied.
    private func lookForWriters(of wanted: SnapshotID) async {
        guard set.update({ $0.foundInUse(by: wanted) }) else { return }
        await set.services.places.lookAgain(at: set.id)
    }

    /// Enters an applied version as the one that the folder shows, before anything else is done. The daemon may have
    /// died between the two steps. What the game has saved since then is a successor of that version and no conflict
    /// with it.
    private func enterChange() async throws {
        guard let version = try await set.atWorker({ try await $0.recover(set.place) }) else { return }
        if set.machine.heads.held.contains(version), set.machine.heads.applied != version {
            return try await enter(version)
        }
        try await acknowledge()
    }

    private func acknowledge() async throws {
        try await set.atWorker(on: .history) { try await $0.acknowledge(set.place) }
    }

    private func enter(_ shown: SnapshotID) async throws {
        try await versions.commit { heads in
            // A newer version may have come meanwhile. It is applied next.
            ([], heads.applied(shown))
        }
        set.tell(.applied(shown))
        try await acknowledge()
    }

    /// Uses another folder for the game. If it is empty, the version of the former folder is put there. If it has other
    /// files, it is not known which version they are.
    func moveIn(_ shown: Snapshot, mayFill: Bool) async {
        do {
            let isShown = try await set.atWorker {
                try await $0.moveIn(set.place, with: shown, mayFill: mayFill, set.services.bounds)
            }
            guard isShown else { return }
            await holdShown()
            if set.machine.heads.held.contains(shown.id) { try await enter(shown.id) }
        } catch { set.tell(trouble: error, in: .applying) }
    }

    private func quarantine(_ target: Snapshot, because reason: any ExplainedError) async throws {
        try await set.services.ledger.snapshots.setRefusal(reason.message, of: target.id, in: set.id)
        set.handle(.folder(.quarantined(target.id, reason.message)))
        set.tell(.quarantined(target.id, reason))
        try await set.services.ledger.note(
            "save-quarantined",
            about: target.author,
            [
                .init("set", set.entry.name.description), .init("snapshot", target.id.short),
                .init("reason", reason.code.description),
            ]
        )
    }

    /// Merges two versions by the rules of the game.
    func merge(_ one: SnapshotID, _ other: SnapshotID) async {
        guard set.machine.heads.heads.contains(one), set.machine.heads.heads.contains(other), set.machine.pause == nil
        else { return }
        var pieces: [PieceReference]?
        do { if case .merged(let made) = try await mergedManifest(of: one, other) { pieces = made } } catch let error
            as any ExplainedError where SetProblem(error).kind == .full || error.code == "history.too-many-open"
        {
            // There may be room later, or fewer open files. That is no reason to ask the user.
            set.tell(trouble: error, in: .applying)
            return set.handle(.folder(.mergeFailed))
        } catch { set.tell(trouble: error) }
        var made: SnapshotID?
        let seal = set.services.seal
        do {
            try await versions.commit { heads in
                guard let pieces else { return ([], heads.cannotMerge(one, other)) }
                let (snapshot, actions) = heads.merged(one, other, into: pieces, sealedBy: seal)
                made = snapshot?.id
                return (snapshot.map { [$0] } ?? [], actions)
            }
            set.handle(.folder(.mergeWorked))
            if let made { set.tell(.merged(made)) }
        } catch {
            set.tell(trouble: error)
            set.handle(.folder(.mergeFailed))
        }
    }

    /// Merges the files of two versions; nil if one of the two is gone.
    /// - Parameters:
    ///   - favourite: the version whose files win if no rule merges them
    ///   - limit: the largest number of undecided files that are named
    func mergedManifest(
        of one: SnapshotID,
        _ other: SnapshotID,
        favouring favourite: SnapshotID? = nil,
        namingAtMost limit: Int = 1
    ) async throws -> SaveMerge.Outcome<[PieceReference]>? {
        let heads = set.machine.heads
        guard let left = heads.graph[one], let right = heads.graph[other] else { return nil }
        let common = heads.graph.commonAncestors(of: one, other).compactMap { heads.graph[$0] }
        return try await set.atWorker(on: .history) {
            try await $0.merge(left, right, common: common, of: set.entry, favouring: favourite, namingAtMost: limit)
        }
    }

    /// Fetches the version that the folder shows, if the folder could not be scanned because that version is damaged.
    /// No check may have found the damage yet.
    func fetchAgain(after error: any Error) async {
        guard (error as? SaveSyncError)?.code == SaveSyncError.lostCode else { return }
        guard let shown = set.machine.heads.applied, !set.machine.downloads.incomplete.contains(shown) else { return }
        await versions.setIncomplete(set.machine.downloads.incomplete.union([shown]))
        set.carryOut(set.update { $0.search() })
    }
}
