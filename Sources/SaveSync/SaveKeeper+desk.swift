import SaveRules
import Session
import Vocabulary

/// Work on sets' folders.
extension SaveKeeper {
    /// Somebody works on a set, or waits to.
    struct DeskWork {
        let number: Int
        let set: SaveSetID
        let disk: Disk
    }

    /// Whose disk is waited for.
    enum Disk {
        case folder
        case history
    }

    /// Works on a set, and says so where the disk gives no answer, or that of a set before it.
    func atDesk<Value: Sendable>(
        for id: SaveSetID,
        on disk: Disk = .folder,
        _ work: @Engine (SaveDesk) async throws -> Value
    ) async rethrows -> Value {
        lastWork += 1
        let number = lastWork
        waiting.append(DeskWork(number: number, set: id, disk: disk))
        let vigil = DiskVigil(bounds.diskSilence, desk.activity) { [weak self] isSilent in
            if isSilent { self?.noteSilentDisk(for: id) } else { self?.sets[id]?.troubles.disk = nil }
        }
        defer {
            vigil.end()
            waiting.removeAll { $0.number == number }
        }
        return try await work(desk)
    }

    private func noteSilentDisk(for id: SaveSetID) {
        guard let set = sets[id], let first = waiting.first else { return }
        let error =
            switch first.disk {
            case .history: SaveSyncError.silentHistory(at: historyPath)
            case .folder: SaveSyncError.silentDisk(set.entry, behind: first.set == id ? nil : sets[first.set]?.entry)
            }
        set.tell(trouble: error, in: \.disk)
    }
}
