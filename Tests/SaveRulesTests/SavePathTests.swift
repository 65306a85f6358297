import SaveRules
import Testing
import Vocabulary

@Suite("A path within a set", .timeLimit(.minutes(5)))
struct SavePathTests {
    @Test("a path is taken as it is", arguments: ["a", "a/b", "Saves/Zoë 🎮/0.celeste", "..a/...", " ", "a/.hidden"])
    func takes(text: String) throws {
        let path = try SavePath(text)
        #expect(path.text == text)
        #expect(try SavePath(path.names) == path)
        #expect(path.depth == text.utf8.count { $0 == UInt8(ascii: "/") } + 1)
        #expect(path.name == path.names.last)
        #expect(try path.parent?.appending(path.name) ?? path == path)
    }

    @Test(
        "a path can't lead out of the set, and has no form that would need cleaning",
        arguments: [
            ("", SavePath.Refusal.name(.empty)), ("/etc", .name(.empty)), ("a//b", .name(.empty)),
            ("a/", .name(.empty)), ("..", .name(.leadsElsewhere)), ("a/../b", .name(.leadsElsewhere)),
            ("./a", .name(.leadsElsewhere)), ("a\n", .name(.controlCharacter)), ("a/b\u{9B}", .name(.controlCharacter)),
            ("a\0", .name(.controlCharacter)), (String(repeating: "x", count: 256), .name(.tooLong)),
            (String(repeating: "é", count: 128), .name(.tooLong)),
            (Array(repeating: "a", count: 65).joined(separator: "/"), .tooDeep),
            (Array(repeating: String(repeating: "x", count: 255), count: 17).joined(separator: "/"), .tooLong),
        ]
    )
    func refuses(text: String, refusal: SavePath.Refusal) {
        #expect(throws: refusal) { try SavePath(text) }
        #expect(!refusal.description.isEmpty)
    }

    @Test("a path has a limited depth and length")
    func limits() throws {
        #expect(try SavePath(Array(repeating: "a", count: 64).joined(separator: "/")).depth == 64)
        let long = Array(repeating: String(repeating: "x", count: 255), count: 16).joined(separator: "/")
        let path = try SavePath(long)
        #expect(path.text.utf8.count == 4_095)
        #expect(throws: SavePath.Refusal.tooLong) { try path.appending(FileName("y")) }
        let deep = try SavePath(Array(repeating: "a", count: 64).joined(separator: "/"))
        #expect(throws: SavePath.Refusal.tooDeep) { try deep.appending(FileName("b")) }
    }

    @Test(
        "bytes that are not UTF-8 are no path",
        arguments: [[0xFF], [0x61, 0x2F, 0xC3], [0xED, 0xA0, 0x80]] as [[UInt8]]
    )
    func notUTF8(bytes: [UInt8]) {
        #expect(throws: SavePath.Refusal.name(.notUTF8)) { try SavePath(bytes: bytes) }
    }

    @Test("a path comes after its folder and before the entries beside that")
    func order() {
        let ordered = ["a", "a/b", "a/b/c", "a/c", "a b", "a!", "a-b", "a.b", "a0", "ab", "b", "é"].map(Sample.path)
        #expect(ordered.shuffled().sorted() == ordered)
        for (place, path) in ordered.enumerated() {
            for (other, further) in ordered.enumerated() { #expect((path < further) == (place < other)) }
        }
    }

    @Test("a path is in every folder around it, and in no other of the same beginning")
    func within() {
        #expect(Sample.path("a/b/c").lies(in: Sample.path("a")) && Sample.path("a/b/c").lies(in: Sample.path("a/b")))
        #expect(!Sample.path("ab/c").lies(in: Sample.path("a")) && !Sample.path("a").lies(in: Sample.path("a")))
        #expect(Sample.path("a").parent == nil)
    }

    @Test("two spellings that Swift holds equal are two paths, as they are two files")
    func bytes() {
        let (composed, decomposed) = (Sample.path("a/\u{E9}"), Sample.path("a/e\u{301}"))
        #expect(composed != decomposed && decomposed < composed)
        #expect(Set([composed, decomposed]).count == 2)
    }
}

@Suite("The name of a set", .timeLimit(.minutes(5)))
struct SaveSetNameTests {
    @Test(
        "a name needs no quotes in a shell",
        arguments: ["celeste", "Dark-Souls_2.x", "7", String(repeating: "x", count: 63)]
    )
    func takes(text: String) throws {
        #expect(try SaveSetName(text).description == text)
    }

    @Test(
        "anything else is refused with the rule and the next step",
        arguments: [
            ("", "save-set.empty-name"), ("-a", "save-set.forbidden-character"), (".a", "save-set.forbidden-character"),
            ("a b", "save-set.forbidden-character"), ("é", "save-set.forbidden-character"),
            ("a/b", "save-set.forbidden-character"), (String(repeating: "x", count: 64), "save-set.name-too-long"),
        ]
    )
    func refuses(text: String, code: String) throws {
        let error = try #require(throws: InvalidName.self) { try SaveSetName(text) }
        #expect(error.code.description == code)
        #expect(error.nextStep.contains("celeste"))
    }
}
