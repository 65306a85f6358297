import History
import SaveRules
import Synchronization

/// Contents that were read from folders and are not stored as a version yet. One worker may read a game's folder, and
/// another one store the version.
final class FolderReadings: Sendable {
    private let batches = Mutex<[SaveSetID: Batch]>([:])

    /// Unchecked because the worker that takes a batch is the only one to use it: the steps of a game run one after the
    /// other.
    private struct Batch: @unchecked Sendable {
        let batch: HistoryBatch
    }

    /// Keeps a batch. The caller must not use it afterwards.
    func put(_ batch: HistoryBatch, of set: SaveSetID) {
        let batch = Batch(batch: batch)
        batches.withLock { $0[set] = batch }
    }

    /// Removes and returns the batch of a game; nil if nothing was read since the last call.
    func take(of set: SaveSetID) -> HistoryBatch? {
        batches.withLock { $0.removeValue(forKey: set) }?.batch
    }
}
