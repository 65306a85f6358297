import CLinux
import Glibc

extension OwnedDescriptor {
    /// The number of names of the open file. Writing to a file that has several changes all of them.
    public borrowing func nameCount() throws(SystemError) -> Int {
        var raw = stat()
        let number = number
        try retrying("fstat") { fstat(number, &raw) }
        return Int(raw.st_nlink)
    }
}
