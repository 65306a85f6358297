import LinuxPlatform
import SaveRules
import Synchronization

extension SaveFolder {
    /// Up to so many files each is looked at; of more, only those that have changed since they were last read.
    private static let searchLimit = 4_096

    /// Whether somebody has a file of the set open for writing; nil while this program changes it: whoever opened a file to find that out would break
    /// the lease under which it is changed.
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
                guard let found = known.find(path), let seal = found.seal else { return true }
                return !seal.fits(stamp, found.file)
            }.map(\.path)
        }
        var search = WriterSearch()
        try explaining(place.root) { [paths] () throws(SystemError) in try search.look(at: paths, in: root) }
        return search.result()
    }
}
