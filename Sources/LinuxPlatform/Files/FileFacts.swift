import CLinux
import Glibc
public import Vocabulary

/// The kernel's facts about a file or folder, as far as the project needs them.
public struct FileFacts: Hashable, Sendable {
    /// The kind of entry.
    public let kind: FolderEntry.Kind
    /// The number of the file system.
    public let device: UInt64
    /// The number in that file system.
    public let inode: UInt64
    /// The size in bytes.
    public let size: Int
    /// The permissions.
    public let mode: FileMode
    /// The time of the last change of the contents.
    public let modified: FileTime

    /// True for a regular file.
    public var isRegular: Bool { kind == .file }

    init(_ raw: stat) {
        kind = FolderEntry.Kind(mode: raw.st_mode)
        device = UInt64(raw.st_dev)
        inode = UInt64(raw.st_ino)
        size = Int(raw.st_size)
        mode = FileMode(rawValue: raw.st_mode)
        modified = FileTime(seconds: Int64(raw.st_mtim.tv_sec), nanoseconds: UInt32(raw.st_mtim.tv_nsec))
    }

    /// The facts of a regular file, from a record of them.
    public init(file: FileIdentity, size: Int, mode: FileMode, modified: FileTime) {
        kind = .file
        (device, inode) = (file.device, file.inode)
        (self.size, self.mode, self.modified) = (size, mode, modified)
    }

    init(of descriptor: CInt, _ name: FileName) throws(SystemError) {
        var raw = stat()
        try retrying("fstat", on: name.text) { fstat(descriptor, &raw) }
        self.init(raw)
    }

    /// Asks for the facts of a path. The path is the caller's own, so symbolic links in it are followed.
    public init(at path: String) throws(SystemError) {
        guard !path.utf8.contains(0) else { throw SystemError("stat", EINVAL) }
        var raw = stat()
        try retrying("stat", on: path) { fstatat(AT_FDCWD, path, &raw, 0) }
        self.init(raw)
    }

    /// True if both are the same file, even with different contents.
    public func isSameFile(as other: FileFacts) -> Bool {
        device == other.device && inode == other.inode
    }
}

extension FolderEntry.Kind {
    init(mode: mode_t) {
        switch mode & S_IFMT {
        case S_IFREG: self = .file
        case S_IFDIR: self = .folder
        case S_IFLNK: self = .symbolicLink
        default: self = .other
        }
    }
}
