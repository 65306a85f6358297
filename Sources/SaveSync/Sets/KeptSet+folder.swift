import LinuxPlatform
import History
import Ledger
import SaveFolder
import SaveRules
import Session
import Vocabulary

/// Work on the folder. The caller holds ``work``.
extension KeptSet {
    /// Scans the folder, and makes a version if it has changed.
    func readFolder(_ order: FolderWork.Order) async {
        let rereads = order.readsEveryByte
        await lookForProgram()
        do {
            try await read(rereading: rereads, asking: order.asksForWriter)
            endWriting()
            if rereads, !machine.downloads.incomplete.isEmpty { lookForMore() }
        } catch let error as SaveSyncError where error.isWriting {
            // The watch says when it has settled. This is no problem, because each version that is applied changes the folder, too.
            handle(.folder(.scanPostponed(ofEveryByte: rereads)))
            // The watch may not know yet which program writes, or may have said already that the folder has settled.
            if error.code == SaveSyncError.beingWrittenCode { await keeper.places.lookAgain(at: id) }
        } catch {
            endWriting()
            tell(trouble: error, in: .scanning)
            handle(.folder(.scanFailed(ofEveryByte: rereads)))
        }
    }

    /// - Parameters:
    ///   - asking: whether to look first for a program that writes there
    ///   - isSent: whether a user has said that a folder that lost its files is sent as it is
    /// - Throws: ``SaveSyncError/folderStirs`` if it changed meanwhile
    func read(rereading: Bool = false, asking: Bool = false, sendingEmptied isSent: Bool = false) async throws {
        let holding: SaveDesk.Holding = isSent ? .nothing : machine.problems.emptied == nil ? .emptying : .everything
        let reading = try await reading(rereading: rereading, asking: asking, holding)
        let (time, seal) = (keeper.clock(), keeper.seal)
        guard case .version(let manifest, let isEmpty) = reading else {
            if case .emptied(let found) = reading { try await note(found) }
            return wasRead()
        }
        var captured: SnapshotID?
        try await commit { heads in
            // After a crash, a version may be stored that was not yet entered as the one that the folder shows.
            if let same = heads.heads.first(where: { heads.graph[$0]?.manifest == manifest }) {
                return heads.applied == same ? ([], []) : ([], heads.applied(same))
            }
            // If the ledger was damaged, it no longer says what the folder shows. A version with the same files may be it.
            if heads.applied == nil, let same = heads.graph.heads(among: heads.holding(manifest)).first {
                return ([], heads.applied(same))
            }
            let (snapshot, actions) = heads.capture(manifest, isEmpty: isEmpty, at: time, sealedBy: seal)
            captured = snapshot?.id
            return (snapshot.map { [$0] } ?? [], actions)
        }
        try await note(nil)
        wasRead()
        guard let captured else {
            await atDesk(on: .history) { await $0.letGo(of: id) }
            return await holdShown()
        }
        tell(.captured(captured))
        await keepRoom()
    }

    /// A scan has read the whole folder.
    private func wasRead() {
        handle(.folder(.scanWorked))
        noteLeftOut(place.leftOut)
    }

    /// The folder has lost its files, or has them again; nil if nothing is held back.
    func note(_ found: EmptiedSave?) async throws {
        let before = machine.problems.emptied
        guard found != before else { return }
        // After a restart, what the game saves next must not count as a successor of the version with the files.
        if (found == nil) != (before == nil) { try await keeper.ledger.noteEmptied(found != nil, id) }
        handle(.folder(.emptied(found)))
        if let found { tell(.emptied(found)) }
    }

    func reading(
        rereading: Bool = false,
        asking: Bool = false,
        _ holding: SaveDesk.Holding
    ) async throws -> SaveDesk.Reading {
        let reading: SaveDesk.Reading?
        guard machine.life != .left else { throw Left() }
        if let misplaced = machine.problems.misplaced { throw misplaced }
        do {
            try await requireOwnPlace()
            try await enterChange()
            reading = try await atDesk { desk in
                try await desk.read(
                    place,
                    of: entry,
                    after: machine.shown,
                    beside: machine.newestHeld,
                    by: keeper.node.id,
                    rereading: rereading,
                    asking: asking,
                    holding: holding
                )
            }
        } catch {
            if let error = error as? any ExplainedError, (error as? SaveSyncError)?.isWriting != true {
                handle(.folder(.problem(error, of: .scanning, telling: false)))
            }
            await fetchAgain(after: error)
            await tellRead(.failed)
            throw error
        }
        let isStill = await tellRead(reading == nil ? .stirred : .whole)
        guard let reading, isStill else { throw SaveSyncError.folderStirs }
        return reading
    }

    /// Tells the watch how a scan ended. Answers whether nothing is known to have changed meanwhile.
    @discardableResult
    private func tellRead(_ outcome: FolderReadOutcome) async -> Bool {
        let isStill = await keeper.places.wasRead(id, outcome)
        handle(.folder(.scanEnded))
        return isStill
    }

    /// The folder was scanned and shows the version that it showed before. The history may have lost it, as after a user put back a backup.
    private func holdShown() async {
        guard let shown = machine.shown, !machine.heads.held.contains(shown.id),
            await !keeper.store.restored([shown]).isEmpty
        else { return }
        do {
            try await commit { ([], $0.hold(shown.id)) }
        } catch {
            tell(trouble: error)
        }
    }

    /// Tells the user each time the number of these files changes.
    private func noteLeftOut(_ now: LeftOutFiles) {
        let before = leftOut
        leftOut = now
        if now.count != before.count { tell(.leftOut(now)) }
    }

    private func atDesk<Value: Sendable>(
        on disk: SaveDesks.Disk = .folder,
        _ work: @Engine (SaveDesk) async throws -> Value
    ) async rethrows -> Value {
        try await keeper.atDesk(for: id, on: disk, work)
    }

    /// Scans the folder, but not while a program writes there, because half of a save may be there then.
    func readSaved(rereading: Bool = false) async throws { try await read(rereading: rereading, asking: true) }

    /// Fails if a symbolic link on the way to the folder now leads to a reserved place.
    private func requireOwnPlace() async throws {
        let refusal = await atDesk { await $0.refusal(of: entry, by: keeper.placement.reserved) }
        guard let refusal else { return }
        throw refusal.turned(in: entry.name)
    }

    /// Puts a version into the folder, if nothing prevents that.
    func show(_ wanted: SnapshotID) async {
        handle(.folder(.applyBegins(wanted)))
        guard let target = machine.heads.graph[wanted], machine.quarantine[wanted] == nil else { return }
        guard machine.problems.misplaced == nil, machine.problems.emptied == nil else { return }
        await lookForProgram()
        guard machine.play.mayApply else { return tell(.heldBack(wanted, "the game runs on this machine")) }
        do {
            try await requireOwnPlace()
            try await enterChange()
            guard machine.heads.pending == wanted else { return }
            // A game may have begun in this moment.
            guard machine.play.mayApply else { return tell(.heldBack(wanted, "the game runs on this machine")) }
            let outcome = try await change(to: target)
            // The folder can be read again.
            handle(.folder(.applyAnswered))
            switch outcome {
            case .refused(let reason): try await quarantine(target, because: reason)
            case .changed(.done):
                try await enter(wanted)
                handle(.folder(.applyWorked))
            case .changed(.changedMeanwhile):
                handle(.folder(.scanWanted()))
                // If the scan finds nothing new, the change was undone.
                handle(.folder(.applyFailed))
            case .changed(.inUse(let who)):
                tell(.heldBack(wanted, who))
                handle(.folder(.applyFailed))
                await lookForWriters(of: wanted)
            }
        } catch {
            tell(trouble: error, in: .applying)
            handle(.folder(.applyFailed))
        }
    }

    /// Puts a version into the folder. No game begins meanwhile.
    private func change(to target: Snapshot) async throws -> SaveDesk.Outcome {
        handle(.folder(.changes(true)))
        defer { handle(.folder(.changes(false))) }
        return try await atDesk { try await $0.show(target, in: place, over: machine.shown, keeper.bounds) }
    }

    /// Looks for a program that has a file open and has not written yet. Until a version is to be applied, nothing looks for it.
    private func lookForWriters(of wanted: SnapshotID) async {
        guard update({ $0.foundInUse(by: wanted) }) else { return }
        await keeper.places.lookAgain(at: id)
    }

    /// Enters an applied version as the one that the folder shows before anything else is done, also if the daemon died in between. What the game has
    /// saved since then is a successor of that version and no conflict with it.
    private func enterChange() async throws {
        guard let version = try await atDesk({ try await $0.recover(place) }) else { return }
        if machine.heads.held.contains(version), machine.heads.applied != version { return try await enter(version) }
        try await acknowledge()
    }

    private func acknowledge() async throws { try await atDesk(on: .history) { try await $0.acknowledge(place) } }

    private func enter(_ shown: SnapshotID) async throws {
        try await commit { heads in
            // A newer version may have come meanwhile. It is applied next.
            ([], heads.applied(shown))
        }
        tell(.applied(shown))
        try await acknowledge()
    }

    /// The folder is another one. If it is empty, the version of the folder before is put there. If it has other files, it is not known which version
    /// they are.
    func moveIn(_ shown: Snapshot, mayFill: Bool) async {
        do {
            let isShown = try await atDesk {
                try await $0.moveIn(place, with: shown, mayFill: mayFill, keeper.bounds)
            }
            guard isShown else { return }
            await holdShown()
            if machine.heads.held.contains(shown.id) { try await enter(shown.id) }
        } catch {
            tell(trouble: error, in: .applying)
        }
    }

    private func quarantine(_ target: Snapshot, because reason: any ExplainedError) async throws {
        try await keeper.ledger.setRefusal(reason.message, of: target.id, in: id)
        handle(.folder(.quarantined(target.id, reason.message)))
        tell(.quarantined(target.id, reason))
        try await keeper.ledger.note(
            "save-quarantined",
            about: target.author,
            [
                .init("set", entry.name.description), .init("snapshot", target.id.short),
                .init("reason", reason.code.description),
            ]
        )
    }

    /// Merges two versions by the rules of the game.
    func merge(_ one: SnapshotID, _ other: SnapshotID) async {
        guard machine.heads.heads.contains(one), machine.heads.heads.contains(other) else { return }
        var pieces: [PieceReference]?
        do {
            if case .merged(let made) = try await mergedManifest(of: one, other) { pieces = made }
        } catch let error as any ExplainedError
            where SetProblem(error).kind == .full || error.code == "history.too-many-open"
        {
            // There may be room later, or fewer open files. That is no reason to ask the user.
            tell(trouble: error, in: .applying)
            return handle(.folder(.mergeFailed))
        } catch {
            tell(trouble: error)
        }
        var made: SnapshotID?
        let seal = keeper.seal
        do {
            try await commit { heads in
                guard let pieces else { return ([], heads.cannotMerge(one, other)) }
                let (snapshot, actions) = heads.merged(one, other, into: pieces, sealedBy: seal)
                made = snapshot?.id
                return (snapshot.map { [$0] } ?? [], actions)
            }
            handle(.folder(.mergeWorked))
            if let made { tell(.merged(made)) }
        } catch {
            tell(trouble: error)
            handle(.folder(.mergeFailed))
        }
    }

    /// Merges the files of two versions; nil if one of the two is gone.
    /// - Parameters:
    ///   - favourite: the version whose files win if no rule merges them
    ///   - limit: how many files are named that the user has to decide about
    func mergedManifest(
        of one: SnapshotID,
        _ other: SnapshotID,
        favouring favourite: SnapshotID? = nil,
        namingAtMost limit: Int = 1
    ) async throws -> SaveMerge.Outcome<[PieceReference]>? {
        let heads = machine.heads
        guard let left = heads.graph[one], let right = heads.graph[other] else { return nil }
        let common = heads.graph.commonAncestors(of: one, other).compactMap { heads.graph[$0] }
        return try await atDesk(on: .history) {
            try await $0.merge(
                left,
                right,
                common: common,
                of: entry,
                favouring: favourite,
                namingAtMost: limit
            )
        }
    }

    /// Drops old versions by the retention rule, and frees their space later.
    func keepRoom() async {
        guard await dropOld() else { return }
        keeper.crew.add {
            do { _ = try await self.keeper.care.collect() } catch let error as HistoryError where error.isOfMissingPacks
            {
                // Each start reports this.
            } catch {
                self.tell(trouble: error)
            }
            self.keeper.trimmer.worked()
        }
    }

    /// When some versions came to this machine, the earliest first.
    private func arrivals(of snapshots: Set<SnapshotID>) async throws -> [SnapshotArrival] {
        let held = try await keeper.ledger.heldArrivals(of: id).filter { snapshots.contains($0.id) }
        let others = snapshots.subtracting(held.map(\.id)).compactMap { keeper.store.shelf.arrival(of: $0, in: id) }
        return (held + others).sorted { $0.place < $1.place }
    }

    /// Drops old versions by the retention rule. Answers whether any of them took space.
    func dropOld() async -> Bool {
        // The rule is the same for lost versions that may come again.
        let staying = machine.heads.held.union(machine.downloads.incomplete)
        guard staying.count > entry.retention.count || entry.retention.space != nil else { return false }
        let now = WallTime.now.secondsSince1970
        do {
            let candidates = try await arrivals(of: staying).map { arrival in
                RetentionRule.Candidate(
                    arrival.id,
                    cameAt: arrival.time.secondsSince1970,
                    isNamed: machine.heads.graph[arrival.id]?.isNamed ?? false
                )
            }
            let asked = entry.retention.space == nil ? [] : candidates.map(\.id)
            let sizes = try await atDesk(on: .history) { try await $0.stored(asked) }
            let verdict = entry.retention.verdict(
                on: candidates,
                at: now,
                protected: machine.heads.protected.union(machine.restoring),
                mostForAge: min(keeper.bounds.keptForAge, keeper.bounds.keptForAgeOfAll / max(keeper.sets.count, 1))
            ) { sizes[$0] ?? [] }
            guard !verdict.dropped.isEmpty else { return false }
            defer { update { $0.endDiscarding() } }
            var (dropped, lost, coming) = ([SnapshotID](), [SnapshotID](), [SnapshotID]())
            try await commit { heads in
                // A lost version may have come meanwhile, and be a side of a conflict. One whose download has just ended is stored in a moment, and
                // stays until the next time.
                let going = verdict.dropped.filter { id in
                    !heads.protected.contains(id) && !machine.downloads.isAboutToBeStored(id)
                }
                (dropped, lost) = (going.filter(heads.held.contains), going.filter { !heads.held.contains($0) })
                heads.drop(dropped)
                coming = update { $0.discard(going) }
                return ([], [])
            }
            if !machine.downloads.incomplete.isDisjoint(with: dropped + lost) {
                await setLacking(machine.downloads.incomplete.subtracting(dropped + lost))
            }
            try await keeper.store.drop(dropped)
            for id in coming { try? await keeper.store.giveUp(id) }
            if !lost.isEmpty {
                // If the disk is too full to write this down, it still frees the rest.
                do { try await keeper.store.forgetLost(lost) } catch { tell(trouble: error) }
            }
            if !coming.isEmpty { lookForMore() }
            return !dropped.isEmpty || !coming.isEmpty
        } catch {
            tell(trouble: error)
            return false
        }
    }
}
