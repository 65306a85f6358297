import Glibc
import LinuxPlatform
import Vocabulary

extension ResourceError {
    /// What the kernel refused, in terms of what can be done about it.
    init(_ error: SystemError, at path: String) {
        let what = Self.quoted(path)
        switch error.number {
        case ENOSPC:
            self.init("resource.no-space", "the file system of \(what) is full", cause: error, nextStep: Self.makeRoom)
        case EDQUOT:
            self.init("resource.quota", "the quota for \(what) is used up", cause: error, nextStep: Self.makeRoom)
        case EFBIG:
            self.init(
                "resource.file-too-large",
                "\(what) is larger than its file system or the process's limit allows",
                cause: error,
                nextStep: "choose a folder on another file system, or raise the limit (`ulimit -f`)"
            )
        case EROFS:
            self.init(
                "resource.read-only",
                "\(what) is on a file system that can only be read",
                cause: error,
                nextStep: "choose another folder, or mount it for writing"
            )
        case EACCES, EPERM:
            self.init(
                "resource.no-permission",
                "\(what) may not be used by this user",
                cause: error,
                nextStep: "change its owner or its mode (`ls -ld` shows them), or choose another folder"
            )
        default:
            self.init(other: error, what)
        }
    }

    private init(other error: SystemError, _ what: String) {
        switch error.number {
        case ENOENT, ENOTDIR:
            self.init(
                "resource.not-found",
                "\(what) is not there",
                cause: error,
                nextStep: "check the path and try again"
            )
        case EMFILE, ENFILE:
            self.init(
                "resource.too-many-open",
                "too many files are open to go on with \(what)",
                cause: error,
                nextStep: "wait for other transfers, or raise the limit (`ulimit -n`)"
            )
        default:
            self.init(
                "resource.disk",
                "\(what) could not be read or written",
                cause: error,
                nextStep: "check the disk (`dmesg` tells of its errors), then try again"
            )
        }
    }

    private static let makeRoom = "make room there or choose another folder, then try again"
}

/// Makes calls into the kernel on behalf of a path and explains what they refuse.
func explaining<Value: ~Copyable>(
    _ path: @autoclosure () -> String,
    _ body: () throws(SystemError) -> Value
) throws(ResourceError) -> Value {
    do {
        return try body()
    } catch {
        throw ResourceError(error, at: path())
    }
}
