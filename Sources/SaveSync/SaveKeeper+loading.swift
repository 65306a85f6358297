import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// What is known of the sets when the program starts.
extension SaveKeeper {
    /// Loads all sets. One whose disk gives no answer keeps no other from its peers, and is left alone until the disk does.
    func load() async throws {
        try await services.placement.findReserved()
        try await pausing.load()
        let entries = try await services.ledger.saveSets().values
        try await noteUnknown()
        let questions = entries.map(services.placement.question)
        let patience = ContinuousClock.Instant.current + services.bounds.diskSilence
        for (entry, question) in zip(entries, questions) {
            if let refusal = try await question.answer(by: patience) {
                try await load(entry, misplaced: refusal?.standing(in: entry.name))
                continue
            }
            let set = try await load(entry, misplaced: .silentDisk(of: entry))
            services.crew.add { await self.comeBack(set, once: question) }
        }
    }

    /// The history may have sets of which the ledger knows nothing, as where it was lost together with its copy: they count as left here, by a name
    /// made of their ids, so that they can be joined again, or given up.
    private func noteUnknown() async throws {
        let offered = try await services.ledger.offeredSets().values.filter { $0.peer == services.node.id }.map(
            \.offer.set
        )
        // One of which the ledger's entry can't be read is known all the same.
        let known = try await services.ledger.saveSetIDs().union(offered)
        for set in try await services.store.sets().subtracting(known).sorted(by: { "\($0)" < "\($1)" }) {
            let name = try SaveSetName("left-\(set.description.prefix(8))")
            do throws(LedgerError) {
                try await services.ledger.noteLeft(SaveOffer(set, named: name), by: services.node.id, in: nil)
                services.tell(SaveNews(set: set, name: name, event: .trouble(SaveSyncError.unknownHistory(name))))
            } catch {
                // As where the disk is full. It is noted down at another start, and keeps nothing from this one.
                services.tell(SaveNews(set: set, name: name, event: .trouble(error)))
            }
        }
    }

    /// The history knows what is whole, the ledger what else there is and where the folder stands.
    /// - Parameter misplaced: why nothing is done with its folder
    @discardableResult
    private func load(_ entry: SaveSetEntry, misplaced: SaveSyncError?) async throws -> SaveSetRunner {
        var known = try await known(of: entry)
        if let misplaced { known.problems.folderChanged(misplaced: misplaced) }
        if let error = misplaced { services.tell(SaveNews(set: entry.id, name: entry.name, event: .trouble(error))) }
        let set = try await add(entry, known)
        await set.play.recall(try await services.ledger.keptClaim(of: entry.id))
        return set
    }

    /// The disk of a set that was left alone for its silence has answered.
    private func comeBack(_ silent: SaveSetRunner, once question: OffloadedCall<SaveSyncError?>) async {
        let refusal: SaveSyncError?
        do { refusal = try await question.answer() } catch { return }
        await changing.alone {
            // This machine may have left it meanwhile, or have put it elsewhere.
            let misplaced = silent.machine.problems.misplaced
            guard silent.machine.life == .open, misplaced?.code == SaveSyncError.silentDiskCode else { return }
            do {
                try await comeBack(silent, refusal?.standing(in: silent.entry.name))
            } catch {
                return silent.tell(trouble: error)
            }
            // What a repair found lacking meanwhile its folder may have.
            if silent.machine.problems.misplaced == nil, !silent.machine.downloads.incomplete.isEmpty {
                services.crew.add { await silent.repair.keepAnew([]) }
            }
        }
    }

    /// What the history says of the versions counts. What the ledger noted of them only saves looking at them one by one.
    func known(of entry: SaveSetEntry) async throws -> SaveSetRecord {
        let standing = try await services.ledger.snapshotStanding(of: entry.id)
        let held = try await held(of: entry, standing)
        let graph = SnapshotGraph(entry.id, from: services.store.shelf)
        let newest = newest(of: held, graph, standing)
        if newest != standing.heads || held != standing.held {
            let change = HeldChange(
                heads: newest,
                come: held.subtracting(standing.held),
                gone: standing.held.subtracting(held)
            )
            // If that can't be written, the next start finds it out again.
            try? await services.ledger.noteHeld(change, of: entry.id)
        }
        let heads = VersionState(
            own: services.node.id,
            graph: graph,
            held: held,
            heads: newest,
            applied: entry.applied,
            usedCounter: entry.usedCounter
        )
        return SaveSetRecord(
            heads,
            peers: SharePeers(
                allowed: Set(try await services.ledger.sharers(of: entry.id).values),
                revoked: Set(try await services.ledger.withdrawals(of: entry.id).values),
                named: try await services.ledger.named(of: entry.id)
            ),
            quarantine: standing.refusals,
            incomplete: try await lacking(of: entry, standing, held: held),
            // How many files it is about says the first reading.
            problems: SetProblems(
                emptied: try await services.ledger.isEmptied(entry.id) ? EmptiedSave(removed: 0, added: 0) : nil
            )
        )
    }

    /// Which versions of a set are here whole.
    private func held(of entry: SaveSetEntry, _ standing: SnapshotStanding) async throws -> Set<SnapshotID> {
        var held = try await services.store.kept(of: entry.id)
        let unnoted = try await services.ledger.unknown(among: held.subtracting(standing.held), of: entry.id)
        if !unnoted.isEmpty {
            // Where the ledger was damaged, or the set was left once, the history knows more.
            let found = Self.inOrder(await services.store.readable(unnoted))
            try await services.ledger.know(
                found,
                usedCounter: found.reduce(0) { max($0, $1.version[services.node.id]) }
            )
            held.subtract(unnoted.subtracting(found.map(\.id)))
        }
        // What the ledger knows of a version outlives the history's own record of it.
        let unread = standing.held.subtracting(held)
        var lost = try await services.store.damaged(among: unread).union(entry.applied.map { [$0] } ?? [])
        lost.formUnion(services.store.history.lostSnapshots.lazy.filter { $0.set == entry.id }.map(\.snapshot))
        let known = lost.subtracting(held).sorted().compactMap { services.store.shelf.snapshot($0, of: entry.id) }
        return held.union(await services.store.restored(known).map(\.id))
    }

    /// Those of the versions that are here whole which nothing supersedes. Those that were newest before are not looked at again, unless one of them is gone.
    private func newest(
        of held: Set<SnapshotID>,
        _ graph: SnapshotGraph,
        _ standing: SnapshotStanding
    ) -> [SnapshotID] {
        let noted = standing.heads.flatMap { held.isSuperset(of: $0) ? $0 : nil }
        let others = noted == nil ? held : held.subtracting(standing.held)
        // Ancestors first.
        let arrivals = others.compactMap { services.store.shelf.arrival(of: $0, in: graph.set) }.sorted {
            $0.place < $1.place
        }
        return arrivals.reduce(noted ?? []) { graph.heads($0, joinedBy: $1.id) }
    }

    /// Which versions are to come again: those of which that was noted, and those that were kept and are lost. Of a history that was set aside nobody knows
    /// which it kept: as many of the last as it would have, at least.
    private func lacking(
        of entry: SaveSetEntry,
        _ standing: SnapshotStanding,
        held: Set<SnapshotID>
    ) async throws -> Set<SnapshotID> {
        var lost = Set(services.store.history.lostSnapshots.lazy.filter { $0.set == entry.id }.map(\.snapshot))
        let damaged = Set(services.store.history.lackingSnapshots.lazy.filter { $0.set == entry.id }.map(\.snapshot))
        if services.store.history.setAside != nil {
            let last = try await services.ledger.knownSnapshots(of: entry.id, last: min(entry.retention.count, 10_000))
            lost.formUnion(last.map(\.id))
        }
        let lacking = standing.lacking.union(lost.subtracting(held)).union(damaged.intersection(held))
        // Where that can't be noted now, it is found out anew at the next start, as long as a repair has not given it up.
        if lacking != standing.lacking { try? await services.ledger.setLacking(lacking, of: entry.id) }
        return lacking.subtracting(try await services.ledger.unknown(among: lacking, of: entry.id))
    }

    /// Ancestors first: with each step somebody's counter grows and none becomes less.
    private static func inOrder(_ snapshots: [Snapshot]) -> [Snapshot] {
        let steps = snapshots.map { snapshot in
            (snapshot, snapshot.version.parts.reduce(0.0) { $0 + Double($1.counter) })
        }
        return steps.sorted { ($0.1, $0.0.time, $0.0.id) < ($1.1, $1.0.time, $1.0.id) }.map(\.0)
    }
}
