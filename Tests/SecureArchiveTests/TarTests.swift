import SecureArchive
import TestSupport
import Testing
import Vocabulary

@Suite("A tar archive", .timeLimit(.minutes(5)))
struct TarTests {
    private static let time = FileTime(seconds: 1_700_000_000, nanoseconds: 123_456_789)

    private static func entry(
        _ path: String,
        _ kind: TarEntry.Kind = .file,
        size: UInt64 = 0,
        at time: FileTime = time
    ) -> TarEntry {
        TarEntry(path, kind, mode: FileMode(rawValue: kind == .folder ? 0o755 : 0o640), modified: time, size: size)
    }

    private static let entries: [TarEntry] = [
        entry("saves", .folder), entry("saves/slot 1", size: 5), entry("saves/empty"),
        entry("saves/" + String(repeating: "x", count: 150), size: 513), entry("saves/Größe ❤", size: 1),
        entry("saves/link", .link(to: "slot 1")),
        entry("saves/far", .link(to: String(repeating: "y/", count: 80) + "z")),
        entry("old", at: FileTime(seconds: -2, nanoseconds: 500_000_000)),
        entry("plain", at: FileTime(seconds: 7, nanoseconds: 0)),
    ]

    private static func archive(_ entries: [TarEntry]) -> [UInt8] {
        entries.flatMap { entry in
            TarWriter.header(entry) + [UInt8](repeating: 0x61, count: Int(entry.size))
                + TarWriter.padding(after: entry.size)
        } + TarWriter.end
    }

    /// The entries of an archive that comes in pieces, and the bytes of its files.
    private static func read(_ bytes: [UInt8], by count: Int = 512) throws -> (entries: [TarEntry], byteCount: Int) {
        var (reader, entries, byteCount) = (TarReader(), [TarEntry](), 0)
        for start in stride(from: 0, to: bytes.count, by: count) {
            reader.append(bytes[start..<min(start + count, bytes.count)])
            while let event = try reader.next() {
                switch event {
                case .entry(let entry): entries.append(entry)
                case .bytes(let more): byteCount += more.count
                case .end: return (entries, byteCount)
                }
            }
        }
        try reader.finish()
        return (entries, byteCount)
    }

    @Test("an archive is read as it was written, in pieces of any length", arguments: [1, 7, 512, 100_000])
    func roundTrip(count: Int) throws {
        let read = try Self.read(Self.archive(Self.entries), by: count)
        #expect(
            read.entries.map { $0.path.hasSuffix("/") ? String($0.path.dropLast()) : $0.path }
                == Self.entries.map(\.path)
        )
        #expect(read.entries.map(\.kind) == Self.entries.map(\.kind))
        #expect(read.entries.map(\.modified) == Self.entries.map(\.modified))
        #expect(read.entries.map(\.mode) == Self.entries.map(\.mode))
        #expect(read.entries.map(\.size) == Self.entries.map(\.size) && read.byteCount == 519)
    }

    @Test("each beginning of an archive is cut off, and is never read as a whole")
    func truncated() throws {
        let bytes = Self.archive([Self.entry("a", size: 5), Self.entry("b")])
        for count in stride(from: 0, to: bytes.count, by: 64) {
            #expect(throws: TarFault.self, "\(count)") { try Self.read(Array(bytes.prefix(count))) }
        }
    }

    @Test("every changed byte is refused, or read as one that names its changes, and nothing dies")
    func mutations() throws {
        let bytes = Self.archive([Self.entry("saves/" + String(repeating: "x", count: 150), size: 5)])
        var random = SeededGenerator(seed: 7)
        for _ in 0..<5_000 {
            var changed = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                changed[Int.random(in: 0..<changed.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            _ = try? Self.read(changed)
        }
    }

    @Test("an entry that no save can have is refused", arguments: ["1", "3", "4", "6", "S", "V", "M"] as [Character])
    func unusual(type: Character) throws {
        var header = TarWriter.header(Self.entry("a", at: FileTime(seconds: 7, nanoseconds: 0)))
        header[156] = type.asciiValue ?? 0
        header.replaceSubrange(148..<156, with: Array("        ".utf8))
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        header.replaceSubrange(148..<155, with: Array((String(repeating: "0", count: 6 - sum.count) + sum + "\0").utf8))
        let error = #expect(throws: TarFault.self) { try Self.read(header + TarWriter.end) }
        #expect(error?.code == "tar.unusual")
    }

    @Test("another file is no tar archive", arguments: ["", "hello", String(repeating: "PK", count: 900)])
    func none(text: String) {
        let error = #expect(throws: TarFault.self) { try Self.read(Array(text.utf8)) }
        #expect(error?.code == "tar.none")
    }
}
