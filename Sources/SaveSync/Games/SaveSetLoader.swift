import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Reads what the ledger and the history know of games, when the daemon starts and when a game is added.
@Engine
final class SaveSetLoader {
    private let services: SaveServices
    private let games: GameRegistry
    private let sessions: GameSessions
    private let settings: GameSettings

    init(_ services: SaveServices, _ games: GameRegistry, _ sessions: GameSessions, _ settings: GameSettings) {
        (self.services, self.games, self.sessions, self.settings) = (services, games, sessions, settings)
    }

    /// Loads all games. A game whose disk gives no answer holds up no other, and is left alone until the disk answers.
    func load() async throws {
        try await services.placement.findReserved()
        let entries = try await services.ledger.saveSets.all().values
        // A full disk keeps no game from its folder. The next start tries again.
        try? await services.ledger.sharing.trimOffers(besides: services.node.id)
        try await noteUnknown()
        let questions = entries.map(services.placement.question)
        let patience = ContinuousClock.Instant.current + services.bounds.patience.diskSilence
        for (entry, question) in zip(entries, questions) {
            if let refusal = try await question.answer(by: patience) {
                try await load(entry, misplaced: refusal?.standing(in: entry.name))
                continue
            }
            let set = try await load(entry, misplaced: .silentDisk(of: entry))
            services.tasks.add { await self.comeBack(set, once: question) }
        }
    }

    /// The history may have games of which the ledger knows nothing, for example because it was lost together with its
    /// copy. They count as left here, by a name made of their ids, so that a user can join them again or discard them.
    private func noteUnknown() async throws {
        let left = try await services.ledger.sharing.leftSets(by: services.node.id)
        // A game whose entry in the ledger can't be read is known, too.
        let known = try await services.ledger.saveSets.ids().union(left)
        for set in try await services.store.sets().subtracting(known).sorted(by: { "\($0)" < "\($1)" }) {
            let name = try SaveSetName("left-\(set.description.prefix(8))")
            do throws(LedgerError) {
                try await services.ledger.sharing.noteLeft(SaveOffer(set, named: name), by: services.node.id, in: nil)
                services.tell(SaveSyncEvent(set: set, name: name, change: .trouble(SaveSyncError.unknownHistory(name))))
            } catch {
                // The disk may be full. The next start writes it down, and this one continues.
                services.tell(SaveSyncEvent(set: set, name: name, change: .trouble(error)))
            }
        }
    }

    /// - Parameter misplaced: the reason why its folder is left alone; nil if there is none
    @discardableResult
    private func load(_ entry: SaveSetEntry, misplaced: SaveSyncError?) async throws -> SaveSetRunner {
        var known = try await record(of: entry)
        if let misplaced { known.problems.folderChanged(misplaced: misplaced) }
        if let error = misplaced {
            services.tell(SaveSyncEvent(set: entry.id, name: entry.name, change: .trouble(error)))
        }
        let set = try await games.add(entry, known, sessions)
        let cutOff = try await services.ledger.saveSets.keptCutOff(of: entry.id)
        await set.play.recall(try await services.ledger.saveSets.keptClaim(of: entry.id), cutOff: cutOff)
        return set
    }

    /// Uses a game again that was left alone because its disk gave no answer, after the disk has answered.
    private func comeBack(_ silent: SaveSetRunner, once question: OffloadedCall<SaveSyncError?>) async {
        let refusal: SaveSyncError?
        do { refusal = try await question.answer() } catch { return }
        await games.changing.alone {
            // The user may have stopped sharing it meanwhile, or have moved it.
            let misplaced = silent.machine.problems.misplaced
            guard silent.machine.life == .open, misplaced?.code == SaveSyncError.silentDiskCode else { return }
            do {
                try await settings.comeBack(silent, refusal?.standing(in: silent.entry.name))
            } catch {
                return silent.tell(trouble: error)
            }
            // Its folder may have data that a repair found to be lost meanwhile.
            if silent.machine.problems.misplaced == nil, !silent.machine.downloads.incomplete.isEmpty {
                services.tasks.add { await silent.repair.keepAgain([]) }
            }
        }
    }

    // MARK: Records

    /// Returns the record of a game. The history knows which versions are whole. The ledger's notes on them only save
    /// reading them one by one.
    func record(of entry: SaveSetEntry) async throws -> SaveSetRecord {
        let standing = try await services.ledger.snapshots.standing(of: entry.id)
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
            try? await services.ledger.snapshots.noteHeld(change, of: entry.id)
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
                allowed: Set(try await services.ledger.sharing.sharers(of: entry.id).values),
                revoked: Set(try await services.ledger.sharing.withdrawals(of: entry.id).values),
                named: try await services.ledger.sharing.named(of: entry.id)
            ),
            quarantine: standing.refusals,
            incomplete: try await incomplete(of: entry, standing, held: held),
            // The first scan counts the files.
            problems: SetProblems(
                emptied: try await services.ledger.saveSets.isEmptied(entry.id)
                    ? EmptiedSave(removed: 0, added: 0) : nil
            )
        )
    }

    /// Returns the versions of a game that are here whole.
    private func held(of entry: SaveSetEntry, _ standing: SnapshotStanding) async throws -> Set<SnapshotID> {
        var held = try await services.store.kept(of: entry.id)
        let unnoted = try await services.ledger.snapshots.unknown(among: held.subtracting(standing.held), of: entry.id)
        if !unnoted.isEmpty {
            // If the ledger was damaged, or this machine left the game once, the history knows more.
            let found = Self.inOrder(await services.store.readable(unnoted))
            try await services.ledger.snapshots.know(
                found,
                usedCounter: found.reduce(0) { max($0, $1.version[services.node.id]) }
            )
            held.subtract(unnoted.subtracting(found.map(\.id)))
        }
        // The ledger's entry of a version outlives the history's own record of it.
        let unread = standing.held.subtracting(held)
        var lost = try await services.store.damaged(among: unread).union(entry.applied.map { [$0] } ?? [])
        lost.formUnion(services.store.history.lostSnapshots.lazy.filter { $0.set == entry.id }.map(\.snapshot))
        let known = lost.subtracting(held).sorted().compactMap { services.store.shelf.snapshot($0, of: entry.id) }
        return held.union(await services.store.restored(known).map(\.id))
    }

    /// Returns the whole versions that no other one supersedes. Versions that were newest before are not read again,
    /// unless one of them is gone.
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

    /// Returns the versions that must be fetched again: those that the ledger lists, and those that were stored and are
    /// lost. If the history was set aside, it is unknown which versions it had: the last ones count, as many as
    /// retention keeps.
    private func incomplete(
        of entry: SaveSetEntry,
        _ standing: SnapshotStanding,
        held: Set<SnapshotID>
    ) async throws -> Set<SnapshotID> {
        var lost = Set(services.store.history.lostSnapshots.lazy.filter { $0.set == entry.id }.map(\.snapshot))
        let damaged = Set(services.store.history.incompleteSnapshots.lazy.filter { $0.set == entry.id }.map(\.snapshot))
        if services.store.history.setAside != nil {
            let last = try await services.ledger.snapshots.known(of: entry.id, last: min(entry.retention.count, 10_000))
            lost.formUnion(last.map(\.id))
        }
        let incomplete = standing.incomplete.union(lost.subtracting(held)).union(damaged.intersection(held))
        // If this can't be written, the next start finds it out, unless a repair has discarded the versions by then.
        if incomplete != standing.incomplete {
            try? await services.ledger.snapshots.setIncomplete(incomplete, of: entry.id)
        }
        return incomplete.subtracting(try await services.ledger.snapshots.unknown(among: incomplete, of: entry.id))
    }

    /// Sorts versions with ancestors first. With each step the counter of one machine grows, and none becomes less.
    private static func inOrder(_ snapshots: [Snapshot]) -> [Snapshot] {
        let steps = snapshots.map { snapshot in
            (snapshot, snapshot.version.parts.reduce(0.0) { $0 + Double($1.counter) })
        }
        return steps.sorted { ($0.1, $0.0.time, $0.0.id) < ($1.1, $1.0.time, $1.0.id) }.map(\.0)
    }
}
