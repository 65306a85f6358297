import LinuxPlatform
import SaveRules
import Vocabulary

extension Manifest {
    /// The same on a disk that keeps whole seconds: what holds what it is to hold there, and has of its time what such a disk keeps of it, is
    /// as it is to be. Else every file of a set would be written anew with each change of one.
    ///
    /// - Parameter disk: what the folder holds
    func kept(by disk: Manifest) -> Manifest {
        let kept = entries.map { entry in
            guard let wanted = entry.file, let there = disk[entry.path]?.file, there.pieces == wanted.pieces,
                there.mode == wanted.mode, there.modified.nanoseconds == 0, there.modified.isKept(of: wanted.modified)
            else { return entry }
            return ManifestEntry(entry.path, .file(there))
        }
        guard let manifest = try? Manifest(kept) else { preconditionFailure("other times break no rule") }
        return manifest
    }
}

extension SetListing {
    /// Whether the disk seems to keep whole seconds: elsewhere hardly any file was changed at the beginning of one, and never all.
    var keepsWholeSeconds: Bool { files.allSatisfy { $0.stamp.changed.nanoseconds == 0 } }
}
