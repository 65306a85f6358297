import History
import SaveRules
import Synchronization

/// What was read of sets and is not yet kept as a snapshot. A set may be read at one worker and kept at another.
final class FolderReadings: Sendable {
    private let batches = Mutex<[SaveSetID: Batch]>([:])

    /// Unchecked because whoever takes a batch out of here has it alone: what is done to one set is done step by step.
    private struct Batch: @unchecked Sendable {
        let batch: HistoryBatch
    }

    /// Whoever puts it here uses it no more.
    func put(_ batch: HistoryBatch, of set: SaveSetID) {
        let batch = Batch(batch: batch)
        batches.withLock { $0[set] = batch }
    }

    /// Nil where nothing was read since the last time.
    func take(of set: SaveSetID) -> HistoryBatch? {
        batches.withLock { $0.removeValue(forKey: set) }?.batch
    }
}
