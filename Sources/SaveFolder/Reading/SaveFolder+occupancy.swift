import LinuxPlatform
import SaveRules
import Synchronization

extension SaveFolder {
    /// Maximum number of files that are all checked; beyond it, only files that changed since the last scan are.
    private static let searchLimit = 4_096

    /// Searches for programs that have a file of the game open for writing; nil while this program changes the folder:
    /// opening a file for the check would break the lease of the change.
    public func occupancy() throws(SaveFolderError) -> Occupancy? {
        guard changes.load(ordering: .acquiring) == 0 else { return nil }
        let root = try openRoot()
        let listing = try SetListing(of: root, place)
        return try occupancy(of: listing, in: root)
    }

    func occupancy(of listing: SetListing, in root: borrowing Folder) throws(SaveFolderError) -> Occupancy {
        var paths = listing.files.map(\.path)
        if paths.count > Self.searchLimit, let record = state.withLock({ try? $0.keeper.record(notes) }) {
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
