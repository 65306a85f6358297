import Glibc
public import History
import LinuxPlatform
public import SaveRules
import Synchronization
import Vocabulary

extension SaveFolder {
    /// Scans the folder, reads files that may have changed since the last scan, and adds new pieces to a batch. The
    /// batch must live until the version was appended with it.
    ///
    /// - Parameters:
    ///   - batch: receives the pieces
    ///   - rereading: true to read all files
    ///   - kept: a manifest of which the history keeps all pieces, if one is known. If the folder held it at the last
    ///     scan, and the watch has heard every change since, only what changed is looked at.
    public func capture(
        into batch: HistoryBatch,
        rereading: Bool = false,
        over kept: Manifest? = nil
    ) throws(SaveFolderError) -> CaptureOutcome {
        try state.withLock { state throws(SaveFolderError) in
            try repair(&state)
            let root = try openRoot()
            let heard = HeardPaths(of: self)
            let isListening = try heard.hear(root, &state) != nil
            if !rereading, let kept, batch.isUnharmed,
                let outcome = try heard.capture(root, over: kept, into: batch, &state)
            {
                return outcome
            }
            let listing = try SetListing(of: root, place)
            let known = try explaining("what is known of \(place.root)") { () throws(SystemError) in
                try state.keeper.record(notes)
            }
            let number = try explaining(place.root) { () throws(SystemError) in try root.facts() }.inode
            let isElsewhere = try explaining(place.root) { () throws(SystemError) in
                try state.disk.isElsewhere(root, sameNumber: known?.root == number, notes)
            }
            // Two disks that were formatted alike give their folders the same inode numbers.
            if listing.entries.isEmpty, let known, known.root != number || isElsewhere, known.manifest != .empty {
                throw .emptyPlace(place.root)
            }
            var reading = SetScan(number, place, into: batch)
            guard let record = try reading.read(listing, knowing: rereading ? nil : known, in: root) else {
                return .changedMeanwhile
            }
            // Listing many names takes time: the first and the last ones must have existed together.
            if record.manifest != known?.manifest || !reading.filesRead.isEmpty {
                guard try SetListing(of: root, place).entries == listing.entries else { return .changedMeanwhile }
            }
            if let known, isElsewhere, !record.isLike(known) { throw .otherPlace(place.root) }
            try explaining(place.root) { () throws(SystemError) in try state.disk.note(root, notes) }
            state.leftOut = LeftOutFiles(listing.leftOut, count: listing.leftOutCount)
            state.keeper.keep(record, read: reading.bytesRead, files: reading.filesRead.count, notes)
            let isHeardWhole = try heard.areAll(of: listing, in: root)
            state.unread =
                isListening && isHeardWhole
                ? heard.mayChangeUnheard(reading.filesRead, reading, in: root) : .anything
            return .captured(Capture(record.manifest, listing, read: reading.bytesRead))
        }
    }
}
