import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Versions that have lost data, and how they become whole again.
extension KeptSet {
    /// Finds which of some versions have lost data, and fetches it again.
    func noteLacking(_ touched: [SnapshotID]) async {
        guard !owing(touched).isEmpty else { return }
        let lost = await findLacking(touched)
        await setLacking(downloads.incomplete.union(lost))
        // A machine that did not have their data before may have it now.
        for snapshot in lost { downloads.forgetAsked(snapshot) }
        await refetch()
    }

    /// Stores again what the folder has of these versions, and of all others that have lost data.
    func keepAnew(_ touched: [SnapshotID]) async {
        guard !owing(touched).isEmpty else { return }
        do {
            try await work.alone { try await readSaved(rereading: true) }
        } catch let error as SaveSyncError where error.isWriting {
            folder.requestScan(ofEveryByte: true)
            lookUp()
        } catch {
            tell(trouble: error, in: .scanning)
            if problems.misplaced == nil, life != .left { folder.scanFailed(ofEveryByte: true, at: .current) }
        }
        let known = Set(owing(touched).map(\.id))
        let found = known.subtracting(await findLacking(touched))
        await setLacking(downloads.incomplete.subtracting(found))
        await refetch()
        // Data that the folder had is no longer expected from other machines.
        for snapshot in found where downloads.running[snapshot] == nil { try? await keeper.store.giveUp(snapshot) }
    }

    /// Those of some versions that are stored here, and all that are known to have lost data.
    private func owing(_ touched: [SnapshotID]) -> [Snapshot] {
        downloads.incomplete.union(heads.held.intersection(touched)).compactMap { heads.graph[$0] }
    }

    /// Finds which of these have lost data. A version that has lost only its own record is stored again.
    private func findLacking(_ touched: [SnapshotID]) async -> Set<SnapshotID> {
        // A version that retention drops meanwhile must not come back.
        let known = owing(touched).filter { !unentered.contains($0.id) && !downloads.discarded.contains($0.id) }
        let lost = Set(known.map(\.id)).subtracting(heads.held)
        let lacking = Set(await keeper.store.restoring(known))
        let found = lost.subtracting(lacking).sorted()
        guard !found.isEmpty else { return lacking }
        do { try await commit { heads in ([], found.flatMap { heads.hold($0) }) } } catch {
            tell(trouble: error)
            return lacking.union(found)
        }
        return lacking
    }

    /// The folder could not be scanned because the version that it shows is damaged. No check may have found that damage yet.
    func fetchAgain(after error: any Error) async {
        guard (error as? SaveSyncError)?.code == SaveSyncError.lostCode else { return }
        guard let shown = heads.applied, !downloads.incomplete.contains(shown) else { return }
        await setLacking(downloads.incomplete.union([shown]))
        lookForMore()
    }

    /// Remembers the versions that have lost data, also after a restart if the disk takes it.
    func setLacking(_ snapshots: Set<SnapshotID>) async {
        downloads.incomplete = snapshots
        do {
            try await keeper.ledger.setLacking(snapshots, of: id)
        } catch {
            tell(trouble: error)
        }
    }
}
