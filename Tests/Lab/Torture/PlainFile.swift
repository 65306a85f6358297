import Glibc
import LinuxPlatform

/// Files, read and written with plain calls.
enum PlainFile {
    /// - Parameter limit: the most bytes; nil for the file's own size, which files of `/proc` don't have
    static func read(_ path: String, atMost limit: Int? = nil) throws -> [UInt8] {
        let file = try OwnedDescriptor.openFile(at: path)
        return try read(file, atMost: limit)
    }

    static func read(_ file: borrowing OwnedDescriptor, atMost limit: Int? = nil) throws -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: try limit ?? file.facts().size)
        let count = try bytes.withUnsafeMutableBytes { room in try file.read(into: room, at: 0) }
        return Array(bytes.prefix(count))
    }

    static func write(_ bytes: [UInt8], to path: String, at offset: UInt64? = nil) throws {
        let how = O_WRONLY | O_CREAT | O_CLOEXEC | (offset == nil ? O_TRUNC : 0)
        let file = OwnedDescriptor(takingOwnershipOf: try retrying("open", on: path) { open(path, how, 0o644) })
        try write(bytes, into: file, at: offset ?? 0)
    }

    static func write(_ bytes: [UInt8], into file: borrowing OwnedDescriptor, at offset: UInt64 = 0) throws {
        var failure: SystemError?
        bytes.withUnsafeBytes { bytes in
            do throws(SystemError) { try file.write(bytes, at: offset) } catch { failure = error }
        }
        if let failure { throw failure }
    }

    static func makeFolders(_ path: String) throws {
        var made = path.hasPrefix("/") ? "" : "."
        for name in path.split(separator: "/") {
            made += "/\(name)"
            guard mkdir(made, 0o755) == 0 || errno == EEXIST else { throw SystemError("mkdir", on: made) }
        }
    }
}
