import CLinux
import Glibc
public import Vocabulary

/// The facts that show if a file may have changed since an earlier stamp: if they are all equal, so are the contents.
///
/// The kernel sets ``changed`` itself and no program can, so a file whose modification time was set back still differs.
/// A new or removed name of the file counts as a change too. A write through a memory mapping is not visible until the
/// kernel next checks the page; ``FileLease`` finds programs that could do that.
public struct FileStamp: Hashable, Sendable {
    /// The kernel's facts, among them size and modification time.
    public let facts: FileFacts
    /// The time of the last change of anything: contents, mode, names.
    public let changed: FileTime
    /// The number of its names.
    public let nameCount: Int

    /// Creates a stamp from its parts.
    public init(facts: FileFacts, changed: FileTime, nameCount: Int = 1) {
        self.facts = facts
        self.changed = changed
        self.nameCount = nameCount
    }

    init(_ raw: stat) {
        facts = FileFacts(raw)
        changed = FileTime(seconds: Int64(raw.st_ctim.tv_sec), nanoseconds: UInt32(raw.st_ctim.tv_nsec))
        nameCount = Int(raw.st_nlink)
    }
}

extension Folder {
    /// Returns the stamp of an entry of the folder; a symbolic link is not followed.
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
