import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// What lacks something that was damaged or lost, and how it is whole again.
extension KeptSet {
    /// Notes which of some versions lack something, beside those of which that is known, and asks for it.
    func noteLacking(_ touched: [SnapshotID]) async {
        guard !owing(touched).isEmpty else { return }
        let lost = await findLacking(touched)
        await setLacking(lacking.union(lost))
        // Who had something of them neither may have it by now.
        for snapshot in lost { fetches[snapshot]?.forget() }
        await refetch()
    }

    /// Keeps anew what the folder has of these, and of what else lacks something.
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
        await setLacking(lacking.subtracting(found))
        await refetch()
        // What was asked for before the folder was found to have it is waited for no more.
        for snapshot in found where fetches[snapshot] == nil { try? await keeper.store.giveUp(snapshot) }
    }

    /// Those of some versions that are held here, and those of which it is known that they lack something.
    private func owing(_ touched: [SnapshotID]) -> [Snapshot] {
        lacking.union(heads.held.intersection(touched)).compactMap { heads.graph[$0] }
    }

    /// Which of these lack something. One whose own record was given up, and that is here otherwise, is kept
    /// and held anew.
    private func findLacking(_ touched: [SnapshotID]) async -> Set<SnapshotID> {
        // One that is held now may need to stay no longer by then, and is not held again.
        let known = owing(touched).filter { !unentered.contains($0.id) && !dropping.contains($0.id) }
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

    /// The folder could not be read because what it shows is damaged. It may be that nobody has looked for damage, and none was given up.
    func fetchAgain(after error: any Error) async {
        guard (error as? SaveSyncError)?.code == SaveSyncError.lostCode else { return }
        guard let shown = heads.applied, !lacking.contains(shown) else { return }
        await setLacking(lacking.union([shown]))
        lookForMore()
    }

    /// What is to come again outlives a restart, as far as that can be written down.
    func setLacking(_ snapshots: Set<SnapshotID>) async {
        lacking = snapshots
        do {
            try await keeper.ledger.setLacking(snapshots, of: id)
        } catch {
            tell(trouble: error)
        }
    }
}
