import Glibc
import LinuxPlatform
import Vocabulary

extension HistoryError {
    /// What the kernel refused, in terms of what can be done about it.
    init(_ error: SystemError) {
        switch error.number {
        case ENOSPC:
            self.init(
                ErrorCode(.noSpace, "history.no-space"),
                "the file system of the history is full",
                cause: error,
                nextStep: Self.makeRoom
            )
        case EDQUOT:
            self.init(
                ErrorCode(.noSpace, "history.quota"),
                "the quota for the history is used up",
                cause: error,
                nextStep: Self.makeRoom
            )
        case EFBIG:
            self.init(
                "history.file-too-large",
                "a file of the history may not grow as large as it has to",
                cause: error,
                nextStep: "raise the limit (`ulimit -f`), or move the history to another file system"
            )
        case EROFS:
            self.init(
                ErrorCode(.readOnly, "history.read-only"),
                "the history is on a file system that can only be read",
                cause: error,
                nextStep: "mount it for writing; if it was, the disk may be failing (`dmesg`)"
            )
        case EACCES, EPERM:
            self.init(
                ErrorCode(.noPermission, "history.no-permission"),
                "the history may not be used by this user",
                cause: error,
                nextStep: "change its owner or its mode (`ls -ld` shows them)"
            )
        case EMFILE, ENFILE:
            self.init(
                "history.too-many-open",
                "too many files are open to go on with the history",
                cause: error,
                nextStep: "wait for other transfers, or raise the limit (`ulimit -n`)"
            )
        default:
            self.init(
                "history.disk",
                "the history could not be read or written",
                cause: error,
                nextStep: "check the disk (`dmesg` tells of its errors), then try again"
            )
        }
    }

    /// Whether a file was not there.
    var isOfMissingFile: Bool { (cause as? SystemError)?.number == ENOENT }

    private static let makeRoom =
        "make room there; what is kept is not harmed, and the next attempt goes on. To keep fewer versions (`--keep`) frees room, too, and takes some itself"
}

/// Makes calls into the kernel and explains what they refuse.
func explaining<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(HistoryError) -> Value {
    do {
        return try body()
    } catch {
        throw HistoryError(error)
    }
}
