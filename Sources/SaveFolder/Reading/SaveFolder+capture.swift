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
            let facts = try explaining(place.root) { () throws(SystemError) in try root.facts() }
            let number = facts.inode
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
            if let known, try isElsewhere(root, facts, than: known, on: state.device), !record.isLike(known) {
                throw .otherPlace(place.root)
            }
            state.device = facts.device
            state.leftOut = LeftOutFiles(listing.leftOut, count: listing.leftOutCount)
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

    /// Whether the root may be another one than it was. A game that puts a new folder in the place of the old one does so on the same file
    /// system; what shows where nothing is mounted lies on another one. Which one it was is not known after a start.
    private func isElsewhere(
        _ root: borrowing Folder,
        _ facts: FileFacts,
        than known: SetRecord,
        on device: UInt64?
    ) throws(SaveFolderError) -> Bool {
        guard facts.inode != known.root, facts.device != device else { return false }
        return try explaining(place.root) { () throws(SystemError) in try root.keepsNumbers() ? !root.isLayered() : false }
    }
}

extension SetRecord {
    /// Whether some file is as it was, whatever became of the others; also where there was none that could be.
    fileprivate func isLike(_ before: SetRecord) -> Bool {
        let files = before.manifest.entries.filter { $0.file?.pieces.isEmpty == false }
        return files.isEmpty || files.contains { manifest[$0.path]?.file?.pieces == $0.file?.pieces }
    }
}
