import CLinux
import Glibc
import Vocabulary

@testable import Resources

/// Everything about a tree that a transfer must preserve, one line an entry, read by simple means.
enum TreeListing {
    static func of(_ path: String, _ prefix: String = "") -> [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var lines = prefix.isEmpty ? ["." + stamp(path).text] : []
        while let entry = readdir(listing) {
            let bytes = withUnsafeBytes(of: &entry.pointee.d_name) { Array($0.prefix { $0 != 0 }) }
            let name = String(decoding: bytes, as: UTF8.self)
            if name == "." || name == ".." { continue }
            let inner = "\(path)/\(name)"
            let facts = stamp(inner)
            lines.append("\(prefix)\(name) \(facts.text)\(content(inner, facts.mode))")
            if facts.mode & S_IFMT == S_IFDIR { lines += of(inner, "\(prefix)\(name)/") }
        }
        return lines.sorted()
    }

    private static func stamp(_ path: String) -> (text: String, mode: mode_t) {
        var raw = stat()
        fstatat(AT_FDCWD, path, &raw, AT_SYMLINK_NOFOLLOW)
        let mode = raw.st_mode & S_IFMT == S_IFLNK ? S_IFLNK : raw.st_mode
        return ("\(mode) \(raw.st_mtim.tv_sec).\(raw.st_mtim.tv_nsec)", raw.st_mode)
    }

    private static func content(_ path: String, _ mode: mode_t) -> String {
        switch mode & S_IFMT {
        case S_IFLNK:
            var room = [CChar](repeating: 0, count: 4096)
            let count = readlink(path, &room, room.count)
            return " → " + String(decoding: room.prefix(max(count, 0)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
        case S_IFREG:
            let file = open(path, O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            let state = DigestState()
            var size = 0
            var room = [UInt8](repeating: 0, count: 65_536)
            while case let count = read(file, &room, room.count), count > 0 {
                size += count
                room.withUnsafeBytes { state.update(UnsafeRawBufferPointer(rebasing: $0.prefix(count))) }
            }
            return " \(size) \(state.digest.description)"
        default: return ""
        }
    }
}
