import Glibc
import LinuxPlatform

extension FileFacts {
    /// True unless nothing is at the path, or something else than a folder. A disk may give an error just now.
    static func mayBeFolder(at path: String) -> Bool {
        do throws(SystemError) {
            return try FileFacts(at: path).kind == .folder
        } catch {
            return ![ENOENT, ENOTDIR].contains(error.number)
        }
    }
}
