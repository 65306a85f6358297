import LinuxPlatform
import SaveRules

/// The files that a change left alone, with the scan cache from before it.
enum UnchangedFiles {
    /// Their fingerprints still hold.
    case untouched(ScanCache?)
    /// An exchange that turned out to be impossible had linked them, so their fingerprints have changed.
    case linked(ScanCache?)
    /// The folder was exchanged. All fingerprints have changed, and the watch of the folder has ended.
    case exchanged

    var areExchanged: Bool { if case .exchanged = self { true } else { false } }

    var before: ScanCache? {
        switch self {
        case .untouched(let before), .linked(let before): before
        case .exchanged: nil
        }
    }

    /// Returns the fingerprint of each entry, and the files that have none that fits: a scan must read them again.
    func fingerprints(of goal: Manifest, _ listing: SetListing) -> ([FileFingerprint?], ChangedPaths) {
        var (known, unread, fingerprints) = (before?.cursor, ChangedPaths.nothing, [FileFingerprint?]())
        fingerprints.reserveCapacity(goal.entries.count)
        for entry in goal.entries {
            var fingerprint: FileFingerprint?
            if let file = entry.file, case .file(let stamp) = listing[entry.path]?.kind, file.fits(stamp.facts) {
                let found = known?.find(entry.path)
                fingerprint =
                    found?.file == file ? kept(found?.fingerprint, stamp) : FileFingerprint(stamp, at: .now)
                if fingerprint?.fits(stamp, file) != true { unread.insert(entry.path) }
            }
            fingerprints.append(fingerprint)
        }
        return (fingerprints, unread)
    }

    /// Returns the fingerprint of a file that the change left alone. A file that a program keeps open has none.
    private func kept(_ fingerprint: FileFingerprint?, _ stamp: FileStamp) -> FileFingerprint? {
        if case .linked = self, fingerprint != nil { FileFingerprint(stamp, at: .now) } else { fingerprint }
    }
}
