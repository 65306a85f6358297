import LinuxPlatform
import SaveRules
import Vocabulary

extension Manifest {
    /// The manifest as a disk with times of whole seconds stores it. A file with the right content and the time that
    /// such a disk can store is unchanged. Otherwise every file of a game would be written again with each change of
    /// one.
    ///
    /// - Parameter disk: the content of the folder
    func kept(by disk: Manifest) -> Manifest {
        let kept = entries.map { entry in
            guard let wanted = entry.file, let there = disk[entry.path]?.file, there.pieces == wanted.pieces,
                there.mode == wanted.mode, there.modified.nanoseconds == 0, there.modified.isKept(of: wanted.modified)
            else { return entry }
            return ManifestEntry(entry.path, .file(there))
        }
        guard let manifest = try? Manifest(kept) else { preconditionFailure("other times keep a manifest valid") }
        return manifest
    }
}

extension SetListing {
    /// True if the disk seems to store whole seconds: on other disks hardly any file has a time of a whole second, and
    /// never all.
    var keepsWholeSeconds: Bool { files.allSatisfy { $0.stamp.changed.nanoseconds == 0 } }
}
