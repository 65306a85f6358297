import LinuxPlatform
import SaveRules
import Vocabulary

/// Work on sets' folders.
extension SaveKeeper {
    /// How this machine signs what it does to saves.
    var seal: VersionSeal { node.seal }

    /// Works on a set, and says so where the disk gives no answer, or that of a set before it.
    func atDesk<Value: Sendable>(
        for id: SaveSetID,
        on disk: SaveDesks.Disk = .folder,
        _ work: @Engine (SaveDesk) async throws -> Value
    ) async rethrows -> Value {
        try await desks.work(
            on: id,
            waitingFor: disk,
            telling: { [weak self] disk in
                guard let self, let set = sets[id] else { return }
                switch disk {
                case .folder: set.diskIsSilent(SaveSyncError.silentDisk(under: set.entry))
                case .history: set.diskIsSilent(SaveSyncError.silentHistory(at: historyPath))
                case nil: set.handle(.folder(.solved(.disk)))
                }
            },
            work
        )
    }
}
