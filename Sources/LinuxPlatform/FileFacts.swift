import CLinux
import Glibc
import Vocabulary

/// What the kernel knows about an open file, as far as the house asks.
struct FileFacts: Equatable {
    let isRegular: Bool
    let size: Int
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    init(of descriptor: CInt, _ name: FileName) throws(SystemError) {
        var raw = stat()
        try retrying("fstat", on: name.text) { fstat(descriptor, &raw) }
        isRegular = raw.st_mode & S_IFMT == S_IFREG
        size = Int(raw.st_size)
        changedSeconds = Int(raw.st_mtim.tv_sec)
        changedNanoseconds = Int(raw.st_mtim.tv_nsec)
    }
}
