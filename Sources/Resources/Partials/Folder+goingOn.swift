import Glibc
import LinuxPlatform
import Vocabulary

extension Folder {
    /// Opens or makes a file that is to be written on. It may have been complete once, with a mode that keeps even its owner from
    /// writing.
    func openForGoingOn(
        _ name: FileName,
        mode: FileMode = .privateFile
    ) throws(SystemError) -> OwnedDescriptor {
        do {
            return try openOrCreate(name, mode: mode)
        } catch let error where error.number == EACCES {
            // Where there is none, the folder is what can't be written.
            guard let file = try? open(name) else { throw error }
            try file.setMode(FileMode(rawValue: try file.facts().mode.rawValue | FileMode.privateFile.rawValue))
            return try openOrCreate(name, mode: mode)
        }
    }
}
