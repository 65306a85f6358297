import Glibc

/// The memory of this process.
public enum ResidentMemory {
    /// The bytes of this process in the machine's memory now; nil if the kernel does not say.
    public static var byteCount: UInt64? {
        guard let file = try? OwnedDescriptor.openFile(at: "/proc/self/statm") else { return nil }
        var room = [UInt8](repeating: 0, count: 256)
        let count = try? room.withUnsafeMutableBytes { try file.read(into: $0, at: 0) }
        let words = String(decoding: room.prefix(count ?? 0), as: UTF8.self).split(separator: " ")
        guard words.count > 1, let pages = UInt64(words[1]) else { return nil }
        return pages * UInt64(sysconf(CInt(_SC_PAGESIZE)))
    }
}
