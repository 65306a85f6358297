import SaveRules
import Session

/// Work on sets' folders.
extension SaveKeeper {
    /// Works on a set's folder, and says so where its disk gives no answer, or that of a set before it.
    func atDesk<Value: Sendable>(
        for id: SaveSetID,
        _ work: @Engine (SaveDesk) async throws -> Value
    ) async rethrows -> Value {
        waiting.append(id)
        let vigil = DiskVigil(bounds.diskSilence, desk.activity) { [weak self] in self?.noteSilentDisk(for: id) }
        defer {
            vigil.end()
            if let place = waiting.firstIndex(of: id) { waiting.remove(at: place) }
            if vigil.hasTold { sets[id]?.troubles.disk = nil }
        }
        return try await work(desk)
    }

    private func noteSilentDisk(for id: SaveSetID) {
        guard let set = sets[id], let first = waiting.first else { return }
        let other = first == id ? nil : sets[first]?.entry
        set.tell(trouble: SaveSyncError.silentDisk(set.entry, behind: other), in: \.disk)
    }
}
