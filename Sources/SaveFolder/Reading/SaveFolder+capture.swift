import Glibc
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
            let number = try explaining(place.root) { () throws(SystemError) in try root.facts() }.inode
            let isElsewhere = try isElsewhere(root, sameNumber: known?.root == number, &state)
            // Two disks that were made alike give their folders the same numbers.
            if listing.entries.isEmpty, let known, known.root != number || isElsewhere, known.manifest != .empty {
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
            if let known, isElsewhere, !record.isLike(known) { throw .otherPlace(place.root) }
            try noteDisk(of: root, &state)
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

    /// Whether a folder lies on another file system than the set did when it was read last, as far as that was noted and can be told. A game that puts
    /// a new folder in the place of the old one does so on the same one; what shows where nothing is mounted, or another disk, lies on another.
    /// - Parameter sameNumber: whether the folder has the number that it had; where the file system tells no more than its device, that suffices
    func isElsewhere(
        _ root: borrowing Folder,
        sameNumber: Bool,
        _ state: inout State
    ) throws(SaveFolderError) -> Bool {
        guard let before = try diskBefore(&state) else { return false }
        if sameNumber {
            do throws(SystemError) { if try root.isKnownByDevice() { return false } } catch {
                throw SaveFolderError(error, at: place.root)
            }
        }
        return try disk(of: root) != before
    }

    private func disk(of root: borrowing Folder) throws(SaveFolderError) -> UInt64 {
        do throws(SystemError) { return try root.lastingFileSystem() } catch {
            throw SaveFolderError(error, at: place.root)
        }
    }

    /// The file system on which the set was read last; nil where that is not known, or another folder is meant since.
    func diskBefore(_ state: inout State) throws(SaveFolderError) -> UInt64? {
        if let disk = state.disk { return disk }
        let bytes = try explaining("what is known of \(place.root)") { () throws(SystemError) -> [UInt8] in
            do throws(SystemError) {
                return try Self.diskFile.read(in: notes, limit: 64)
            } catch {
                if error.number == ENOENT || error.number == EFBIG { return [] }
                throw error
            }
        }
        state.disk = String(validating: bytes, as: UTF8.self).flatMap { UInt64($0, radix: 16) }
        return state.disk
    }

    private func noteDisk(of root: borrowing Folder, _ state: inout State) throws(SaveFolderError) {
        let disk = try disk(of: root)
        guard state.disk != disk else { return }
        state.disk = disk
        // Where it can't be noted, nothing is refused for it after the next start.
        try? Self.diskFile.write(Array(String(disk, radix: 16).utf8), in: notes, overwriting: .allowed)
    }

    func forgetDisk(_ state: inout State) throws(SystemError) {
        state.disk = nil
        do throws(SystemError) { try notes.remove(Self.diskFile.name) } catch {
            if error.number != ENOENT { throw error }
        }
    }

    private static let diskFile: AtomicFile = {
        guard let name = try? FileName("disk") else { preconditionFailure("letters make a name") }
        return AtomicFile(name)
    }()
}

extension SetRecord {
    /// Whether some file is as it was, whatever became of the others; also where there was none that could be.
    fileprivate func isLike(_ before: SetRecord) -> Bool {
        let files = before.manifest.entries.filter { $0.file?.pieces.isEmpty == false }
        return files.isEmpty || files.contains { manifest[$0.path]?.file?.pieces == $0.file?.pieces }
    }
}
