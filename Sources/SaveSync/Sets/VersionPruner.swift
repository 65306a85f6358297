import History
import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Drops old versions of one game by its retention rule.
@Engine final class VersionPruner {
    private let set: SaveSet
    private let versions: VersionLog
    private let owner: any SaveSetOwner

    init(_ set: SaveSet, _ versions: VersionLog, _ owner: any SaveSetOwner) {
        (self.set, self.versions, self.owner) = (set, versions, owner)
    }

    /// Drops old versions by the retention rule, and frees their space later.
    func keepRoom() async {
        guard await dropOld() else { return }
        set.services.tasks.add { [set] in
            do { _ = try await set.services.maintenance.collect() } catch let error as HistoryError
                where error.isOfMissingPacks
            {
                // Each start reports this.
            } catch { set.tell(trouble: error) }
            set.services.trimmer.worked()
        }
    }

    /// Returns the times at which versions came to this machine, the earliest first.
    private func arrivals(of snapshots: Set<SnapshotID>) async throws -> [SnapshotArrival] {
        let held = try await set.services.ledger.snapshots.heldArrivals(of: set.id).filter { snapshots.contains($0.id) }
        let others = snapshots.subtracting(held.map(\.id)).compactMap {
            set.services.store.shelf.arrival(of: $0, in: set.id)
        }
        return (held + others).sorted { $0.place < $1.place }
    }

    /// Drops old versions by the retention rule. Returns true if any of them took space.
    func dropOld() async -> Bool {
        // The rule is the same for lost versions that may come again.
        let staying = set.machine.heads.held.union(set.machine.downloads.incomplete)
        guard staying.count > set.entry.retention.count || set.entry.retention.space != nil else { return false }
        let now = WallTime.now.secondsSince1970
        do {
            let candidates = try await arrivals(of: staying).map { arrival in
                RetentionRule.Candidate(
                    arrival.id,
                    cameAt: arrival.time.secondsSince1970,
                    isNamed: set.machine.heads.graph[arrival.id]?.isNamed ?? false
                )
            }
            let asked = set.entry.retention.space == nil ? [] : candidates.map(\.id)
            let sizes = try await set.atWorker(on: .history) { try await $0.stored(asked) }
            let verdict = set.entry.retention.verdict(
                on: candidates,
                at: now,
                protected: set.machine.heads.protected.union(set.machine.restoring),
                mostForAge: min(
                    set.services.bounds.keptForAge,
                    set.services.bounds.keptForAgeOfAll / max(owner.setCount, 1)
                )
            ) { sizes[$0] ?? [] }
            guard !verdict.dropped.isEmpty else { return false }
            defer { set.update { $0.endDiscarding() } }
            var (dropped, lost, coming) = ([SnapshotID](), [SnapshotID](), [SnapshotID]())
            try await versions.commit { heads in
                // A lost version may have come meanwhile, and may be a side of a conflict. A version whose download has
                // just ended is stored in a moment, and stays until the next time.
                let going = verdict.dropped.filter { id in
                    !heads.protected.contains(id) && !set.machine.downloads.isAboutToBeStored(id)
                }
                (dropped, lost) = (going.filter(heads.held.contains), going.filter { !heads.held.contains($0) })
                heads.drop(dropped)
                coming = set.update { $0.discard(going) }
                return ([], [])
            }
            if !set.machine.downloads.incomplete.isDisjoint(with: dropped + lost) {
                await versions.setIncomplete(set.machine.downloads.incomplete.subtracting(dropped + lost))
            }
            try await set.services.store.drop(dropped)
            for id in coming { try? await set.services.store.giveUp(id) }
            if !lost.isEmpty {
                // If the disk is too full to write this down, it still frees the rest.
                do { try await set.services.store.forgetLost(lost) } catch { set.tell(trouble: error) }
            }
            if !coming.isEmpty { set.carryOut(set.update { $0.search() }) }
            return !dropped.isEmpty || !coming.isEmpty
        } catch {
            set.tell(trouble: error)
            return false
        }
    }
}
