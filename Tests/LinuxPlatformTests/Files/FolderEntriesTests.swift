import Glibc
import LinuxPlatform
import Testing
import TestSupport
import Vocabulary

@Suite("Folder.entries", .timeLimit(.minutes(5)))
struct FolderEntriesTests {
    let temporary = TemporaryFolder()

    @Test("An empty folder has no entries")
    func empty() throws {
        #expect(try temporary.opened().entries(limit: 0) == [])
    }

    @Test("Each entry has its kind, and two listings are equal")
    func kinds() throws {
        let folder = try temporary.opened()
        try temporary.put("", at: "file")
        _ = try folder.createFolder(try FileName("folder"))
        #expect(symlink("nowhere", temporary.path(of: "link")) == 0)
        #expect(mkfifo(temporary.path(of: "pipe"), 0o600) == 0)
        let expected = ["file file", "folder folder", "other pipe", "symbolicLink link"]
        for _ in 0..<2 {
            let found = try folder.entries(limit: 4).map { "\($0.kind) \($0.name?.text ?? "?")" }
            #expect(found.sorted() == expected)
        }
    }

    @Test("A name that is not UTF-8 or would move the cursor is listed as bytes and has no FileName")
    func strangeNames() throws {
        for bytes in [[0xFF, 0x41], Array("a\nb".utf8)] as [[UInt8]] {
            let path = Array(temporary.path.utf8) + [UInt8(ascii: "/")] + bytes + [0]
            let file = open(path.map { CChar(bitPattern: $0) }, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
            try #require(file >= 0)
            close(file)
        }
        let entries = try temporary.opened().entries(limit: 10)
        #expect(Set(entries.map(\.bytes)) == [[0xFF, 0x41], Array("a\nb".utf8)])
        #expect(entries.allSatisfy { $0.name == nil })
    }

    @Test("Names of the maximum length are listed")
    func longNames() throws {
        let text = String(repeating: "x", count: FileName.maximumByteCount)
        try temporary.put("", at: text)
        #expect(try temporary.opened().entries(limit: 1).map { $0.name?.text } == [text])
    }

    @Test("A folder with more entries than allowed fails instead of filling memory")
    func bounded() throws {
        for number in 0..<100 { try temporary.put("", at: "file\(number)") }
        let folder = try temporary.opened()
        #expect(try folder.entries(limit: 100).count == 100)
        #expect(error(of: EOVERFLOW, in: "readdir") { _ = try folder.entries(limit: 99) })
    }
}
