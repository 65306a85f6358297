import Glibc
import LinuxPlatform
import Vocabulary

extension HistoryError {
    /// Explains a refusal of the kernel by what the user can do about it.
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
                "a file of the history exceeds the largest size that a file may have here",
                cause: error,
                nextStep: "raise the limit (`ulimit -f`), or move the history to another file system"
            )
        case EROFS:
            self.init(
                ErrorCode(.readOnly, "history.read-only"),
                "the file system of the history is read-only",
                cause: error,
                nextStep: "mount it for writing; if it was, the disk may be failing (`dmesg`)"
            )
        case EACCES, EPERM:
            self.init(
                ErrorCode(.noPermission, "history.no-permission"),
                "this user has no permission to use the history",
                cause: error,
                nextStep: "change its owner or its mode (`ls -ld` shows them)"
            )
        case EMFILE, ENFILE:
            self.init(
                "history.too-many-open",
                "the history could not open a file: too many files are open",
                cause: error,
                nextStep: "wait for other transfers, or raise the limit (`ulimit -n`)"
            )
        default:
            self.init(
                "history.disk",
                "the history could not be read or written",
                cause: error,
                nextStep: "check the disk (`dmesg` shows its errors), then try again"
            )
        }
    }

    /// True if a file was missing.
    var isOfMissingFile: Bool { (cause as? SystemError)?.number == ENOENT }

    private static let makeRoom =
        "free space there; the history is not damaged, and a retry continues. Keeping fewer versions (`--keep`) "
        + "frees space, too, but needs some itself"
}

/// Runs kernel calls and explains what they refuse.
func explaining<Value: ~Copyable>(_ body: () throws(SystemError) -> Value) throws(HistoryError) -> Value {
    do {
        return try body()
    } catch {
        throw HistoryError(error)
    }
}
