public import History
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

extension SaveFolder {
    /// Reads the folder, as far as it may have changed since it was last read, and puts what is new into a batch. The batch must live
    /// until the snapshot was appended with it.
    ///
    /// - Parameters:
    ///   - batch: where the pieces go
    ///   - rereading: whether to read everything, whatever is known
    public func capture(into batch: HistoryBatch, rereading: Bool = false) throws(SaveFolderError) -> CaptureOutcome {
        try state.withLock { state throws(SaveFolderError) in
            try mend(&state)
            let root = try openRoot()
            let listing = try SetListing(of: root, place)
            let known = try explaining("what is known of \(place.root)") { () throws(SystemError) in
                try state.keeper.record(notes)
            }
            let number = try explaining(place.root) { () throws(SystemError) in try root.facts().inode }
            if listing.entries.isEmpty, let known, known.root != number, known.manifest != .empty {
                throw .emptyPlace(place.root)
            }
            var reading = SetReading(number, place, into: batch)
            guard let record = try reading.read(listing, knowing: rereading ? nil : known, in: root) else {
                return .changedMeanwhile
            }
            // One look at many names takes a while: what was seen first and what was seen last must have been there together.
            if record.manifest != known?.manifest || reading.filesRead > 0 {
                guard try SetListing(of: root, place).entries == listing.entries else { return .changedMeanwhile }
            }
            state.keeper.keep(record, read: reading.bytesRead, files: reading.filesRead, notes)
            return .captured(
                Capture(
                    manifest: record.manifest,
                    leftOut: listing.leftOut,
                    leftOutCount: listing.leftOutCount,
                    bytesRead: ByteCount(reading.bytesRead)
                )
            )
        }
    }
}
