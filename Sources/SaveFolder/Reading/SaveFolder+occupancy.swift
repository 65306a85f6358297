import LinuxPlatform
import SaveRules
import Synchronization

extension SaveFolder {
    /// Searches for programs that have a file of the game open for writing; nil while this program changes the folder:
    /// opening a file for the check would break the lease of the change.
    public func occupancy() throws(SaveFolderError) -> Occupancy? {
        guard changes.load(ordering: .acquiring) == 0 else { return nil }
        let root = try openRoot()
        let files = try state.withLock { state throws(SaveFolderError) -> [SavePath]? in
            let heard = HeardPaths(of: self)
            _ = try heard.hear(root, &state)
            guard let (known, unread) = try heard.known(root, &state) else { return nil }
            return try ChangedEntries(at: unread, in: root, of: place, among: known.manifest)?.files
        }
        guard let files else { return try occupancy(of: SetListing(of: root, place), in: root) }
        var search = WriterSearch()
        try explaining(place.root) { () throws(SystemError) in try search.look(at: files, in: root) }
        return search.result()
    }

    func occupancy(of listing: SetListing, in root: borrowing Folder) throws(SaveFolderError) -> Occupancy {
        var paths = listing.files.map(\.path)
        if paths.count > Self.smallFileCount, let record = state.withLock({ try? $0.keeper.record(notes) }) {
            var known = record.cursor
            paths = listing.files.filter { path, stamp in
                guard let found = known.find(path), let fingerprint = found.fingerprint else { return true }
                return !fingerprint.fits(stamp, found.file)
            }.map(\.path)
        }
        var search = WriterSearch()
        try explaining(place.root) { [paths] () throws(SystemError) in try search.look(at: paths, in: root) }
        return search.result()
    }
}
