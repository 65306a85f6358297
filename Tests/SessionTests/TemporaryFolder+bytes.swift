import Glibc
import LinuxPlatform
import TestSupport

extension TemporaryFolder {
    /// Puts bytes there, the plain way.
    func write(_ content: [UInt8], to name: String) throws {
        let file = try retrying("open") { open(path(of: name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644) }
        defer { close(file) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = try retrying("write") { rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) } }
            rest = rest.dropFirst(count)
        }
    }

    /// All bytes of a file.
    func read(_ name: String) throws -> [UInt8] {
        let file = try retrying("open") { open(path(of: name), O_RDONLY | O_CLOEXEC) }
        defer { close(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = try retrying("read") { Glibc.read(file, &piece, piece.count) }
            if count == 0 { return content }
            content += piece.prefix(count)
        }
    }
}
