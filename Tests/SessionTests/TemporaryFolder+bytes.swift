import Glibc
import LinuxPlatform
import TestSupport

extension TemporaryFolder {
    /// Writes a file with plain calls.
    func write(_ content: [UInt8], to name: String) throws {
        let file = try retrying("open") { open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        defer { close(file) }
        var done = 0
        while done < content.count {
            done += try content.withUnsafeBytes { bytes in
                let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
                return try retrying("write") { Glibc.write(file, rest.baseAddress, rest.count) }
            }
        }
    }

    /// All bytes of a file.
    func read(_ name: String) throws -> [UInt8] {
        let file = try retrying("open") { open(path(of: name), O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        let size = try retrying("lseek") { lseek(file, 0, CInt(SEEK_END)) }
        // because the kernel fills the bytes, and only as many count as it says it filled
        return try [UInt8](unsafeUninitializedCapacity: Int(size)) { room, count in
            while count < size {
                let read = try retrying("pread") {
                    pread(file, room.baseAddress?.advanced(by: count), Int(size) - count, off_t(count))
                }
                if read == 0 { return }
                count += read
            }
        }
    }

    /// True if a file holds exactly these bytes. In a debug build, comparing arrays takes seconds, and would block the
    /// loop that all nodes share.
    func holds(_ content: [UInt8], in name: String) throws -> Bool {
        areEqual(try read(name), content)
    }
}

/// Compares two arrays with the C library.
func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && memcmp(left, right, left.count) == 0
}
