import Glibc

/// What the kernel refused to do with a file or folder, in terms of what a person can do about it.
public enum DiskTrouble: Hashable, Sendable {
    /// The file system is full.
    case noSpace
    /// The user's share of it is used up.
    case quota
    /// The file system or the process allows no file so large.
    case fileTooLarge
    /// Nothing can be written there.
    case readOnly
    /// The user may not.
    case noPermission
    /// It is not there.
    case notFound
    /// The process or the system has no more descriptors.
    case tooManyOpen
    /// Anything else: the disk itself, for one.
    case other

    /// What a refusal comes down to.
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

    /// What happened.
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

    /// What to do about it.
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
