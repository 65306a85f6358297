import Glibc
import LinuxPlatform
import Vocabulary

extension Folder {
    /// Whether there is something of this name.
    func holds(_ name: FileName) throws(SystemError) -> Bool {
        do throws(SystemError) {
            _ = try facts(of: name)
            return true
        } catch let error where error.number == ENOENT {
            return false
        }
    }
}
