import Glibc

/// The contents of `/proc` about running processes.
enum ProcessFiles {
    /// The numbers of all running processes, in ascending order.
    static var processes: [Int32] {
        guard let listing = try? Folder(at: "/proc").entries(limit: 1 << 22) else { return [] }
        return listing.compactMap { Int32(String(decoding: $0.bytes, as: UTF8.self)) }.sorted()
    }

    /// Returns the text of a file in `/proc`; empty if it has gone or belongs to another user.
    static func text(_ path: String) -> String {
        guard let file = try? retrying("open", { open(path, O_RDONLY | O_CLOEXEC) }) else { return "" }
        let owned = OwnedDescriptor(takingOwnershipOf: file)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        // It reads at most this much of the mappings of a very large program.
        while bytes.count < 16 << 20 {
            let count = read(owned.number, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
