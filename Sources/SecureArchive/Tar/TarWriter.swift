import Vocabulary

/// Writes tar archives that GNU tar, bsdtar, 7-Zip and file managers open.
///
/// Names and times that the plain header has no room for go into a pax header before it.
public enum TarWriter {
    static let block = 512
    /// The end of an archive.
    public static let end = [UInt8](repeating: 0, count: 2 * block)

    /// The header of an entry. The bytes of a file follow it, then ``padding(after:)``.
    public static func header(_ entry: TarEntry) -> [UInt8] {
        var records: [(key: String, value: String)] = []
        let isFolder = entry.kind == .folder
        let path = isFolder ? entry.path + "/" : entry.path
        if path.utf8.count > 100 || !isPlain(path) { records.append(("path", path)) }
        var target = ""
        if case .link(let to) = entry.kind { target = to }
        if target.utf8.count > 100 || !isPlain(target) { records.append(("linkpath", target)) }
        if entry.size >= 1 << 33 { records.append(("size", "\(entry.size)")) }
        let (seconds, nanoseconds) = (entry.modified.seconds, entry.modified.nanoseconds)
        if nanoseconds != 0 || !(0..<(1 << 33)).contains(seconds) { records.append(("mtime", time(entry.modified))) }
        var bytes: [UInt8] = []
        if !records.isEmpty {
            let text = Array(records.map { record($0.key, $0.value) }.joined().utf8)
            bytes += block("PaxHeaders/\(path.utf8.count)", "x", 0o644, 0, UInt64(text.count), "")
            bytes += text + padding(after: UInt64(text.count))
        }
        let type: Character = isFolder ? "5" : target.isEmpty ? "0" : "2"
        let plainTime = (0..<(1 << 33)).contains(seconds) ? seconds : 0
        bytes += block(path, type, entry.mode.rawValue, plainTime, entry.size < 1 << 33 ? entry.size : 0, target)
        return bytes
    }

    /// The zeros behind the bytes of a file.
    public static func padding(after size: UInt64) -> [UInt8] {
        [UInt8](repeating: 0, count: Int((512 - size % 512) % 512))
    }

    private static func isPlain(_ text: String) -> Bool { text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } }

    /// Seconds and their fraction, also before 1970: -1.5 is half a second before -1.
    private static func time(_ time: FileTime) -> String {
        guard time.nanoseconds != 0 else { return "\(time.seconds)" }
        let isBefore = time.seconds < 0
        let (whole, part) =
            isBefore
            ? (-(time.seconds + 1), 1_000_000_000 - Int(time.nanoseconds)) : (time.seconds, Int(time.nanoseconds))
        let digits = String(part)
        return "\(isBefore ? "-" : "")\(whole).\(String(repeating: "0", count: 9 - digits.count))\(digits)"
    }

    /// A record says its own length in front.
    private static func record(_ key: String, _ value: String) -> String {
        let rest = " \(key)=\(value)\n"
        var length = rest.utf8.count + 1
        while "\(length)".utf8.count + rest.utf8.count != length { length = "\(length)".utf8.count + rest.utf8.count }
        return "\(length)\(rest)"
    }

    private static func block(
        _ path: String,
        _ type: Character,
        _ mode: UInt32,
        _ time: Int64,
        _ size: UInt64,
        _ target: String
    ) -> [UInt8] {
        var block = [UInt8](repeating: 0, count: block)
        func put(_ text: String, at place: Int, most: Int) {
            for (offset, byte) in text.utf8.prefix(most).enumerated() { block[place + offset] = byte }
        }
        func octal(_ number: UInt64, _ digits: Int) -> String {
            let text = String(number, radix: 8)
            return String(repeating: "0", count: max(digits - text.count, 0)) + text
        }
        put(path, at: 0, most: 100)
        put(octal(UInt64(mode), 7), at: 100, most: 7)
        put(octal(0, 7), at: 108, most: 7)
        put(octal(0, 7), at: 116, most: 7)
        put(octal(size, 11), at: 124, most: 11)
        put(octal(UInt64(time), 11), at: 136, most: 11)
        put("        ", at: 148, most: 8)
        put("\(type)", at: 156, most: 1)
        put(target, at: 157, most: 100)
        put("ustar\u{0}00", at: 257, most: 8)
        put(octal(block.reduce(0) { $0 + UInt64($1) }, 6), at: 148, most: 6)
        block[154] = 0
        return block
    }
}
