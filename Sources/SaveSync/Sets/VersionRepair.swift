import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Repairs versions of one game that have lost data.
@Engine final class VersionRepair {
    private let set: SaveSet
    private let versions: VersionLog
    private let steps: FolderSteps
    private let fetcher: VersionFetcher

    init(_ set: SaveSet, _ versions: VersionLog, _ steps: FolderSteps, _ fetcher: VersionFetcher) {
        (self.set, self.versions, self.steps, self.fetcher) = (set, versions, steps, fetcher)
    }

    /// Finds the versions that have lost data, and fetches the data again.
    func noteIncomplete(_ touched: [SnapshotID]) async {
        guard !owing(touched).isEmpty else { return }
        let lost = await findIncomplete(touched)
        await versions.setIncomplete(set.machine.downloads.incomplete.union(lost))
        // A machine that did not have their data before may have it now.
        for snapshot in lost { set.handle(.download(snapshot, .mayBeElsewhere)) }
        await fetcher.searchToEnd()
    }

    /// Stores again the data that the folder has of these versions, and of all others that have lost data.
    func keepAgain(_ touched: [SnapshotID]) async {
        guard !owing(touched).isEmpty else { return }
        do { try await set.work.alone { try await steps.readSaved(rereading: true) } } catch let error as SaveSyncError
            where error.isWriting
        { set.handle(.folder(.scanWanted(ofEveryByte: true))) } catch {
            set.tell(trouble: error, in: .scanning)
            if set.machine.problems.misplaced == nil, set.machine.life != .left {
                set.handle(.folder(.scanFailed(ofEveryByte: true)))
            }
        }
        let known = Set(owing(touched).map(\.id))
        let found = known.subtracting(await findIncomplete(touched))
        await versions.setIncomplete(set.machine.downloads.incomplete.subtracting(found))
        await fetcher.searchToEnd()
        // Data that the folder had is no longer expected from other machines.
        for snapshot in found where set.machine.downloads.running[snapshot] == nil {
            try? await set.services.store.giveUp(snapshot)
        }
    }

    /// Returns the versions among some that are stored here, and all that are known to have lost data.
    private func owing(_ versions: [SnapshotID]) -> [Snapshot] {
        let (machine, heads) = (set.machine, set.machine.heads)
        return machine.downloads.incomplete.union(heads.held.intersection(versions)).compactMap { heads.graph[$0] }
    }

    /// Returns the versions that have lost data. A version that has lost only its own record is stored again.
    private func findIncomplete(_ touched: [SnapshotID]) async -> Set<SnapshotID> {
        // A version that retention drops meanwhile must stay dropped.
        let known = owing(touched).filter {
            !set.machine.uncommitted.contains($0.id) && !set.machine.downloads.discarded.contains($0.id)
        }
        let lost = Set(known.map(\.id)).subtracting(set.machine.heads.held)
        let incomplete = Set(await set.services.store.restoring(known))
        let found = lost.subtracting(incomplete).sorted()
        guard !found.isEmpty else { return incomplete }
        do { try await versions.commit { heads in ([], found.flatMap { heads.hold($0) }) } } catch {
            set.tell(trouble: error)
            return incomplete.union(found)
        }
        return incomplete
    }
}
