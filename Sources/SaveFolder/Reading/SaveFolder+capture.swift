import Glibc
public import History
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

extension SaveFolder {
    /// Scans the folder, reads files that may have changed since the last scan, and adds new pieces to a batch. The
    /// batch must live until the version was appended with it.
    ///
    /// - Parameters:
    ///   - batch: receives the pieces
    ///   - rereading: true to read all files
    public func capture(into batch: HistoryBatch, rereading: Bool = false) throws(SaveFolderError) -> CaptureOutcome {
        try state.withLock { state throws(SaveFolderError) in
            try repair(&state)
            let root = try openRoot()
            let listing = try SetListing(of: root, place)
            let known = try explaining("what is known of \(place.root)") { () throws(SystemError) in
                try state.keeper.record(notes)
            }
            let number = try explaining(place.root) { () throws(SystemError) in try root.facts() }.inode
            let isElsewhere = try isElsewhere(root, sameNumber: known?.root == number, &state)
            // Two disks that were formatted alike give their folders the same inode numbers.
            if listing.entries.isEmpty, let known, known.root != number || isElsewhere, known.manifest != .empty {
                throw .emptyPlace(place.root)
            }
            var reading = SetScan(number, place, into: batch)
            guard let record = try reading.read(listing, knowing: rereading ? nil : known, in: root) else {
                return .changedMeanwhile
            }
            // Listing many names takes time: the first and the last ones must have existed together.
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

    /// True if a folder is on another file system than the set was at the last scan, as far as both are known. A game
    /// that replaces the folder does so on the same file system. A mount point without its disk, or with another disk,
    /// is on another one.
    ///
    /// - Parameter sameNumber: true if the folder has the same inode number; this decides if the file system has no
    ///   other identity than its device
    func isElsewhere(
        _ root: borrowing Folder,
        sameNumber: Bool,
        _ state: inout State
    ) throws(SaveFolderError) -> Bool {
        guard let before = try diskBefore(&state) else { return false }
        if sameNumber {
            do throws(SystemError) { if try FileSystem(of: root).isKnownByDevice { return false } } catch {
                throw SaveFolderError(error, at: place.root)
            }
        }
        return try disk(of: root) != before
    }

    private func disk(of root: borrowing Folder) throws(SaveFolderError) -> UInt64 {
        do throws(SystemError) { return try FileSystem(of: root).lastingID } catch {
            throw SaveFolderError(error, at: place.root)
        }
    }

    /// The file system of the last scan; nil if it is unknown, or another folder was chosen since.
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
        // If it can't be stored, the check after the next start is skipped.
        try? Self.diskFile.write(Array(String(disk, radix: 16).utf8), in: notes, overwriting: .allowed)
    }

    func forgetDisk(_ state: inout State) throws(SystemError) {
        state.disk = nil
        do throws(SystemError) { try notes.remove(Self.diskFile.name) } catch {
            if error.number != ENOENT { throw error }
        }
    }

    private static let diskFile: AtomicFile = {
        guard let name = try? FileName("disk") else { preconditionFailure("letters are a valid name") }
        return AtomicFile(name)
    }()
}

extension ScanCache {
    /// True if at least one file is unchanged, or there was no file to compare.
    fileprivate func isLike(_ before: ScanCache) -> Bool {
        let files = before.manifest.entries.filter { $0.file?.pieces.isEmpty == false }
        return files.isEmpty || files.contains { manifest[$0.path]?.file?.pieces == $0.file?.pieces }
    }
}
