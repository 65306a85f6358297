import Glibc

/// A kernel's refusal of a file operation, by the action that helps the user.
public enum DiskTrouble: Hashable, Sendable {
    case noSpace
    /// The user's share of the file system is used up.
    case quota
    /// The file system or the process allows no file so large.
    case fileTooLarge
    /// The file system is read-only.
    case readOnly
    /// The user has no permission.
    case noPermission
    case notFound
    /// The process or the system has reached its limit of descriptors.
    case tooManyOpen
    /// Any other error, such as a fault of the disk.
    case other

    /// The kind of trouble that an error means.
    public init(_ error: SystemError) {
        self =
            switch error.number {
            case ENOSPC: .noSpace
            case EDQUOT: .quota
            case EFBIG: .fileTooLarge
            case EROFS: .readOnly
            case EACCES, EPERM: .noPermission
            case ENOENT, ENOTDIR: .notFound
            case EMFILE, ENFILE: .tooManyOpen
            default: .other
            }
    }

    /// The message for the user.
    ///
    /// - Parameter what: the file or folder, quoted and fit to print
    public func message(about what: String) -> String {
        switch self {
        case .noSpace: "the file system of \(what) is full"
        case .quota: "the quota for \(what) is used up"
        case .fileTooLarge: "\(what) is larger than its file system or the process's limit allows"
        case .readOnly: "\(what) is on a file system that can only be read"
        case .noPermission: "\(what) may not be used by this user"
        case .notFound: "\(what) is not there"
        case .tooManyOpen: "too many files are open to go on with \(what)"
        case .other: "\(what) could not be read or written"
        }
    }

    /// The hint for the user.
    public var nextStep: String {
        switch self {
        case .noSpace, .quota: "make room there or choose another folder, then try again"
        case .fileTooLarge: "choose a folder on another file system, or raise the limit (`ulimit -f`)"
        case .readOnly: "choose another folder, or mount it for writing"
        case .noPermission: "change its owner or its mode (`ls -ld` shows them), or choose another folder"
        case .notFound: "check the path and try again"
        case .tooManyOpen: "wait for other transfers, or raise the limit (`ulimit -n`)"
        case .other: "check the disk (`dmesg` tells of its errors), then try again"
        }
    }
}
