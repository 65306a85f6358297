import CLinux
import Glibc
public import Vocabulary

/// What tells whether a file may have changed since somebody looked at it: if nothing of this differs, its contents don't.
///
/// The kernel sets ``changed`` itself and no program can, so that a file whose time of change was set back still differs. Giving the
/// file another name or taking one away counts as a change too. Not seen is what is written through a mapping into memory until the
/// kernel next looks at the page; who could do that is found by ``FileLease``.
public struct FileStamp: Hashable, Sendable {
    /// What the kernel knows, among it size and time of change.
    public let facts: FileFacts
    /// When anything about it was changed: its contents, its mode, its names.
    public let changed: FileTime

    /// Makes one of its parts.
    public init(facts: FileFacts, changed: FileTime) {
        self.facts = facts
        self.changed = changed
    }

    init(_ raw: stat) {
        facts = FileFacts(raw)
        changed = FileTime(seconds: Int64(raw.st_ctim.tv_sec), nanoseconds: UInt32(raw.st_ctim.tv_nsec))
    }
}

extension Folder {
    /// The stamp of something in the folder; a symbolic link is not followed.
    public func stamp(of name: FileName) throws(SystemError) -> FileStamp {
        var raw = stat()
        try retrying("fstatat", on: name.text) { fstatat(descriptor.number, name.text, &raw, AT_SYMLINK_NOFOLLOW) }
        return FileStamp(raw)
    }

    /// The stamp of the folder itself.
    public func stamp() throws(SystemError) -> FileStamp {
        try descriptor.stamp()
    }
}

extension OwnedDescriptor {
    /// The stamp of the open file.
    public borrowing func stamp() throws(SystemError) -> FileStamp {
        var raw = stat()
        let number = number
        try retrying("fstat") { fstat(number, &raw) }
        return FileStamp(raw)
    }
}
