import History
import LinuxPlatform
import SaveRules
import Synchronization
import Vocabulary

/// The paths of a large folder that its watch heard of, and scans that look at nothing else.
struct HeardPaths {
    private let folder: SaveFolder
    private var place: SetPlace { folder.place }

    init(of folder: SaveFolder) { self.folder = folder }

    /// Notes what the watch has heard up to now.
    ///
    /// - Returns: what it has heard since it was asked last; nil if it may miss changes of this folder
    func hear(_ root: borrowing Folder, _ state: inout SaveFolder.State) throws(SaveFolderError) -> ChangedPaths? {
        let heard = folder.heard.take()
        state.unread.formUnion(heard.changes)
        let identity = try explaining(place.root) { () throws(SystemError) in try root.facts() }.identity
        if heard.whole == identity { return heard.changes }
        // It listens to nothing, or to a folder that had this path before.
        state.unread = .anything
        return nil
    }

    /// True if a watch that hears every change of names and files in this folder hears every change of the game.
    func areAll(of listing: SetListing, in root: borrowing Folder) throws(SaveFolderError) -> Bool {
        let fileCount = listing.entries.count { if case .file = $0.kind { true } else { false } }
        guard fileCount > folder.wholeUpTo, listing.isPlain, listing.leftOutCount == 0, !listing.keepsWholeSeconds
        else { return false }
        return try explaining(place.root) { () throws(SystemError) in
            // A bind mount has the same device, and the watch may have the folder that it covers.
            try FileSystem(of: root).isHeardWhole && !root.hasMountsBelow()
        }
    }

    /// The scan cache and the paths that it may have wrong; nil if everything is to be looked at.
    func known(
        _ root: borrowing Folder,
        _ state: inout SaveFolder.State
    ) throws(SaveFolderError) -> (record: ScanCache, unread: Set<SavePath>)? {
        guard case .only(let paths) = state.unread else { return nil }
        return try explaining(place.root) { () throws(SystemError) in
            guard let known = try state.keeper.record(folder.notes),
                known.manifest.entries.count(where: { $0.file != nil }) > folder.wholeUpTo,
                try root.facts().inode == known.root,
                try !state.disk.isElsewhere(root, sameNumber: true, folder.notes)
            else { return nil }
            return (known, paths)
        }
    }

    /// The files that a scan has looked at, if a program has one of them open for writing; else nothing. It may have
    /// opened the file under a name that is gone. The kernel then reports its writes under that name, unheard here.
    func mayChangeUnheard(_ read: [SavePath], _ scan: SetScan, in root: borrowing Folder) -> ChangedPaths {
        var search = WriterSearch()
        do throws(SystemError) { try search.look(at: read, in: root) } catch { return .anything }
        // The program may have closed a file since it was read.
        var paths = ChangedPaths.only(Set(scan.heldFiles))
        if case .occupied = search.result() { paths.formUnion(.only(Set(read))) }
        return paths
    }

    /// Scans what has changed since the last scan; nil if everything is to be looked at.
    func capture(
        _ root: borrowing Folder,
        over kept: Manifest,
        into batch: HistoryBatch,
        _ state: inout SaveFolder.State
    ) throws(SaveFolderError) -> CaptureOutcome? {
        guard let (known, paths) = try known(root, &state), known.manifest == place.shared(of: kept),
            let changed = try ChangedEntries(at: paths, in: root, of: place, among: known.manifest)
        else { return nil }
        var reading = SetScan(known.root, place, into: batch)
        guard let record = try reading.read(changed, over: known, in: root) else {
            // There may be more than a manifest can have.
            state.unread = .anything
            return .changedMeanwhile
        }
        // What was seen must have existed together.
        guard try hear(root, &state) == .nothing,
            try ChangedEntries(at: paths, in: root, of: place, among: known.manifest) == changed
        else { return .changedMeanwhile }
        state.keeper.keep(record, read: reading.bytesRead, files: reading.filesRead.count, folder.notes)
        state.unread = mayChangeUnheard(changed.files, reading, in: root)
        let bytesRead = ByteCount(reading.bytesRead)
        return .captured(Capture(manifest: record.manifest, leftOut: [], leftOutCount: 0, bytesRead: bytesRead))
    }
}

extension SaveFolder {
    /// Treats the scan cache as right and all later changes as heard, as after a scan. For tests without a watch.
    package func believeNotes() throws {
        heard.begin { true }
        heard.listen(to: try Folder(at: place.root).facts().identity)
        _ = heard.take()
        state.withLock { $0.unread = .nothing }
    }
}
