import Glibc
import LinuxPlatform

/// Small text files as a whole.
enum TextFile {
    static func read(_ path: String, limit: Int = 1 << 20) throws(SystemError) -> String {
        let file = OwnedDescriptor(
            takingOwnershipOf: try retrying("open", on: path) { open(path, O_RDONLY | O_CLOEXEC) }
        )
        var bytes = [UInt8](repeating: 0, count: limit)
        var count = 0
        while count < limit {
            let more = try retrying("read", on: path) { [room = limit - count] in
                bytes.withUnsafeMutableBytes { Glibc.read(file.number, $0.baseAddress?.advanced(by: count), room) }
            }
            if more == 0 { break }
            count += more
        }
        return String(decoding: bytes[..<count], as: UTF8.self)
    }

    /// Replaces a file. Readers see the old one or the new one, and never half of it.
    static func replace(_ path: String, with text: String) throws(SystemError) {
        let fresh = "\(path).new"
        unlink(fresh)
        let file = OwnedDescriptor(
            takingOwnershipOf: try retrying("open", on: fresh) {
                open(fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            }
        )
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            rest = rest.dropFirst(
                try retrying("write", on: fresh) {
                    rest.withUnsafeBytes { Glibc.write(file.number, $0.baseAddress, $0.count) }
                }
            )
        }
        try file.close()
        try retrying("rename", on: path) { rename(fresh, path) }
    }
}
