import GameState
import SecureArchive
import TestSupport
import Testing

@Suite("Paths")
struct PathTests {
    @Test(
        "a path that is read and written again is the same",
        arguments: [
            (".", [StatePath.Step]()),
            ("people[0].height", [.key("people"), .index(0), .key("height")]),
            ("scores[-1]", [.key("scores"), .index(-1)]),
            ("[2][3]", [.index(2), .index(3)]),
            ("[+]", [.end]),
            (#"people["first name"].x"#, [.key("people"), .key("first name"), .key("x")]),
            (#"["a.b"]["c\"d\\e"]"#, [.key("a.b"), .key(#"c"d\e"#)]),
            (#"["\u{1b}[31m"]"#, [.key("\u{1b}[31m")]),
            ("$objects[7]", [.key("$objects"), .index(7)]),
            ("größe", [.key("größe")]),
            (#"[""]"#, [.key("")]),
            (#"["0x"]"#, [.key("0x")]),
            ("[\"a\\\"\u{301}b\"]", [.key("a\"\u{301}b")]),
        ]
    )
    func roundTrip(text: String, steps: [StatePath.Step]) throws {
        let path = try StatePath(parsing: text)
        #expect(path.steps == steps)
        #expect(try StatePath(parsing: path.description) == path)
        if text != #"["0x"]"# { #expect(path.description == text) }
    }

    @Test("paths have other spellings")
    func otherSpellings() throws {
        #expect(try StatePath(parsing: "") == .root)
        #expect(try StatePath(parsing: #""first name".x"#) == StatePath([.key("first name"), .key("x")]))
        #expect(try StatePath(parsing: #"a."b.c""#) == StatePath([.key("a"), .key("b.c")]))
        #expect(try StatePath(parsing: #"["\n\t\r\u{e9}"]"#) == StatePath([.key("\n\t\ré")]))
    }

    @Test(
        "a text that is no path is refused with the reason",
        arguments: [
            ("a..b", "a key is missing"), ("a.", "a key is missing at the end"), (".a", "a key is missing"),
            ("a[", "a “]” is missing"), ("a[0", "a “]” is missing"), ("a[0]b", "after “]”"), ("a[x]", "is no index"),
            ("a[+1]", "is no index"), ("a[99999999999999999999]", "is no index"), ("a b", "in quotes"),
            ("a.*", "in quotes"), ("a[*]", "is no index"), (#"["a"#, "closing quote"), (#"["a\"#, "closing quote"),
            (#"["\x"]"#, "after “\\”"), (#"["\u{d800}"]"#, "after “\\”"), (#"["a"x]"#, "a “]” is missing"),
            ("a]", "after “]”"), ("a\u{202e}b", "in quotes"),
        ]
    )
    func refuses(text: String, reason: String) {
        let error = #expect(throws: StateError.self) { try StatePath(parsing: text) }
        #expect(error?.kind == .badPath)
        #expect(error?.message.contains(reason) == true, "\(String(describing: error?.message))")
    }

    @Test("a path with more steps than any tree has is refused")
    func refusesDeepPaths() {
        let text = String(repeating: "[0]", count: 257)
        #expect(throws: StateError.self) { try StatePath(parsing: text) }
        #expect(throws: StateError.self) {
            try GameState(.null).value(at: StatePath(Array(repeating: .index(0), count: 300)))
        }
    }

    @Test("keys of any letters survive writing and reading", arguments: 0..<50)
    func anyKey(seed: UInt64) throws {
        var chance = SeededGenerator(seed: seed)
        let scalars = (0..<Int.random(in: 0...12, using: &chance)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &chance) ? 0x7F : 0x10FFFF), using: &chance))
        }
        var key = ""
        key.unicodeScalars.append(contentsOf: scalars)
        let path = StatePath([.key("a"), .key(key), .index(3)])
        let again = try StatePath(parsing: path.description)
        #expect(again == path)
        guard case .key(let found) = again.steps[1] else { return }
        #expect(Array(found.unicodeScalars) == scalars)
    }
}
