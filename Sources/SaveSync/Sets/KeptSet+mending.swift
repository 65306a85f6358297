import Ledger
import LinuxPlatform
import SaveRules
import Session
import Vocabulary

/// Versions that have lost data, and how they become whole again.
extension KeptSet {
    /// Finds which of some versions have lost data, and fetches it again.
    func noteLacking(_ touched: [SnapshotID]) async {
        guard !machine.owing(touched).isEmpty else { return }
        let lost = await findLacking(touched)
        await setLacking(machine.downloads.incomplete.union(lost))
        // A machine that did not have their data before may have it now.
        for snapshot in lost { handle(.download(snapshot, .mayBeElsewhere)) }
        await searchToEnd()
    }

    /// Stores again what the folder has of these versions, and of all others that have lost data.
    func keepAnew(_ touched: [SnapshotID]) async {
        guard !machine.owing(touched).isEmpty else { return }
        do {
            try await work.alone { try await readSaved(rereading: true) }
        } catch let error as SaveSyncError where error.isWriting {
            handle(.folder(.scanWanted(ofEveryByte: true)))
        } catch {
            tell(trouble: error, in: .scanning)
            if machine.problems.misplaced == nil, machine.life != .left {
                handle(.folder(.scanFailed(ofEveryByte: true)))
            }
        }
        let known = Set(machine.owing(touched).map(\.id))
        let found = known.subtracting(await findLacking(touched))
        await setLacking(machine.downloads.incomplete.subtracting(found))
        await searchToEnd()
        // Data that the folder had is no longer expected from other machines.
        for snapshot in found where machine.downloads.running[snapshot] == nil {
            try? await keeper.store.giveUp(snapshot)
        }
    }

    /// Finds which of these have lost data. A version that has lost only its own record is stored again.
    private func findLacking(_ touched: [SnapshotID]) async -> Set<SnapshotID> {
        // A version that retention drops meanwhile must not come back.
        let known = machine.owing(touched).filter {
            !machine.uncommitted.contains($0.id) && !machine.downloads.discarded.contains($0.id)
        }
        let lost = Set(known.map(\.id)).subtracting(machine.heads.held)
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
        guard let shown = machine.heads.applied, !machine.downloads.incomplete.contains(shown) else { return }
        await setLacking(machine.downloads.incomplete.union([shown]))
        lookForMore()
    }

    /// Remembers the versions that have lost data, also after a restart if the disk takes it.
    func setLacking(_ snapshots: Set<SnapshotID>) async {
        handle(.versions(.incomplete(snapshots)))
        do {
            try await keeper.ledger.setLacking(snapshots, of: id)
        } catch {
            tell(trouble: error)
        }
    }
}
