import Glibc
import LinuxPlatform
import Vocabulary

extension Folder {
    /// Opens or creates a file to continue it. The file may be complete, with a mode that forbids writing even to its
    /// owner.
    func openForResuming(
        _ name: FileName,
        mode: FileMode = .privateFile
    ) throws(SystemError) -> OwnedDescriptor {
        do {
            return try openOrCreate(name, mode: mode)
        } catch let error where error.number == EACCES {
            // Without a file, the folder is not writable.
            guard let file = try? open(name) else { throw error }
            try file.setMode(FileMode(rawValue: try file.facts().mode.rawValue | FileMode.privateFile.rawValue))
            return try openOrCreate(name, mode: mode)
        }
    }
}
