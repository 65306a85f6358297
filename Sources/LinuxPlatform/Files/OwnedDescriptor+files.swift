import CLinux
import Glibc
public import Vocabulary

/// Operations on an open file. Every call may wait for a disk.
extension OwnedDescriptor {
    /// Opens a regular file for reading by its path. The path is the caller's own, so symbolic links in it are
    /// followed. A pipe without a writer is refused with `EINVAL`; the call never waits for it.
    public static func openFile(at path: String) throws(SystemError) -> OwnedDescriptor {
        guard !path.utf8.contains(0) else { throw SystemError("open", EINVAL) }
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY
        let number = try retrying("open", on: path) { Glibc.open(path, flags) }
        let file = OwnedDescriptor(takingOwnershipOf: number)
        guard try file.facts().isRegular else { throw SystemError("open as a regular file", EINVAL, on: path) }
        return file
    }

    /// The kernel's facts about the file.
    public func facts() throws(SystemError) -> FileFacts {
        var raw = stat()
        try retrying("fstat") { fstat(number, &raw) }
        return FileFacts(raw)
    }

    /// Reads from an offset until the room is full or the file ends.
    ///
    /// - Returns: the number of bytes read; less than the room only at the end of the file
    public func read(into room: UnsafeMutableRawBufferPointer, at offset: UInt64) throws(SystemError) -> Int {
        try Self.read(from: number, into: room, at: offset)
    }

    /// The same for a descriptor that is lent to another thread while its owner waits.
    package static func read(
        from number: CInt,
        into room: UnsafeMutableRawBufferPointer,
        at offset: UInt64
    ) throws(SystemError) -> Int {
        var count = 0
        while count < room.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: room[count...])
            let more = try retrying("pread") { pread(number, rest.baseAddress, rest.count, off_t(offset) + count) }
            guard more > 0 else { break }
            count += more
        }
        return count
    }

    /// Writes all of the bytes at an offset.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: UInt64) throws(SystemError) {
        var count = 0
        while count < bytes.count {
            let rest = UnsafeRawBufferPointer(rebasing: bytes[count...])
            let more = try retrying("pwrite") { pwrite(number, rest.baseAddress, rest.count, off_t(offset) + count) }
            // Without this check, a write with no error and no progress would repeat for ever.
            guard more > 0 else { throw SystemError("pwrite", EIO) }
            count += more
        }
    }

    /// Truncates the file to a size, or extends it by a hole.
    public func truncate(to size: UInt64) throws(SystemError) {
        try retrying("ftruncate") { ftruncate(number, off_t(size)) }
    }

    /// Sets the permissions, regardless of the process's mask.
    public func setMode(_ mode: FileMode) throws(SystemError) {
        try retrying("fchmod") { fchmod(number, mode.rawValue) }
    }

    /// Sets the modification time.
    public func setModified(_ time: FileTime) throws(SystemError) {
        var raw = stat()
        try retrying("fstat") { fstat(number, &raw) }
        let times = time.asModified(raw)
        try retrying("futimens") { futimens(number, times) }
    }

    /// Waits until the file's contents would survive a power cut.
    public func sync() throws(SystemError) {
        try retrying("fsync") { fsync(number) }
    }

    /// Makes the kernel read ahead further. This is only advice: its result does not matter.
    public func expectReadingInOrder() {
        _ = posix_fadvise(number, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    /// Makes the kernel begin to write a range of the file to the disk, without waiting. Only advice: anything that
    /// fails here fails again when the file is flushed.
    public func beginWriteBack(from offset: UInt64, count: UInt64) {
        _ = huddle_write_back(number, Int64(offset), Int64(count), 0)
    }

    /// Waits until a range of the file has reached the disk, which guarantees nothing for a power cut. Only advice.
    public func awaitWriteBack(from offset: UInt64, count: UInt64) {
        _ = huddle_write_back(number, Int64(offset), Int64(count), 1)
    }
}
