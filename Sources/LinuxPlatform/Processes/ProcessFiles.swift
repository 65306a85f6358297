import Glibc

/// What `/proc` says of the programs that run.
enum ProcessFiles {
    /// The numbers of all programs that run, in ascending order.
    static var processes: [Int32] {
        guard let listing = try? Folder(at: "/proc").entries(limit: 1 << 22) else { return [] }
        return listing.compactMap { Int32(String(decoding: $0.bytes, as: UTF8.self)) }.sorted()
    }

    /// What a file of it says; nothing where it has gone or is another user's.
    static func text(_ path: String) -> String {
        guard let file = try? retrying("open", { open(path, O_RDONLY | O_CLOEXEC) }) else { return "" }
        let owned = OwnedDescriptor(takingOwnershipOf: file)
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        // A program with more than this mapped is not read to its end.
        while bytes.count < 16 << 20 {
            let count = read(owned.number, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
