import SaveRules
import Testing
import Vocabulary

@Suite("The content of an archive that is imported", .timeLimit(.minutes(5)))
struct ArchiveContentsTests {
    @Test("paths may begin with ./ and end with a slash, and missing folders are named")
    func paths() throws {
        var contents = ArchiveContents(limit: 100)
        #expect(try contents.take("./", .folder) == nil)
        let deep = try #require(try contents.take("./a/b/c", .file(10)))
        #expect(deep.path.text == "a/b/c" && deep.missingFolders.map(\.text) == ["a", "a/b"])
        let known = try #require(try contents.take("a/b/", .folder))
        #expect(known.isKnownFolder && known.missingFolders.isEmpty)
        #expect(try contents.take("a/b/d", .link(to: "../c"))?.missingFolders == [])
        #expect(contents.files == 1 && contents.bytes == 10)
    }

    @Test(
        "an entry that leads out, comes twice or collides is refused",
        arguments: [
            [("/etc/passwd", .file(1))], [("../a", .file(1))], [("a/../../b", .file(1))], [("a/..", .folder)],
            [("", .file(1))], [(".", .file(1))], [("a//b", .file(1))], [("a\u{0}b", .file(1))], [("a\nb", .file(1))],
            [("a", .file(1)), ("a", .file(1))], [("a", .file(1)), ("./a", .folder)],
            [("Slot", .file(1)), ("slot", .file(1))], [("A/x", .file(1)), ("a/y", .file(1))],
            [("a", .file(1)), ("a/b", .file(1))], [("a", .link(to: "b")), ("a/c", .file(1))],
            [("a", .link(to: "/etc"))], [("a/b", .link(to: "../../c"))], [("a", .link(to: ""))],
            [("a", .file(60)), ("b", .file(60))], [("a", .file(60)), ("b", .file(.max))],
        ] as [[(String, ArchiveContents.Kind)]]
    )
    func refused(entries: [(String, ArchiveContents.Kind)]) throws {
        var contents = ArchiveContents(limit: 100)
        for (path, kind) in entries.dropLast() { _ = try contents.take(path, kind) }
        let (path, kind) = try #require(entries.last)
        let error = #expect(throws: ArchiveRefusal.self) { _ = try contents.take(path, kind) }
        #expect(error?.message.hasPrefix("nothing was imported") == true)
    }
}
