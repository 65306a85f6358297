import Testing

@testable import Vocabulary

@Suite("Name of a received file", .timeLimit(.minutes(5)))
struct ArrivingNameTests {
    @Test(
        "A harmless name is unchanged",
        arguments: [
            "save.dat", "a.tar.gz", "Käte’s save", "セーブ", "e\u{301}", "a b", "_x", "a-b", #"a\b"#, "👨‍👩‍👧.png", "a.", "x~",
        ]
    )
    func same(_ text: String) throws {
        #expect(try Array(FileName(text).arriving.bytes) == Array(text.utf8))
    }

    @Test(
        "A deceptive name shows its hidden characters, and is neither hidden nor an option",
        arguments: [
            ("\u{202E}gnp.exe", #"\u{202e}gnp.exe"#), ("a\u{200B}b", #"a\u{200b}b"#), ("-rf", "_-rf"), ("-", "_-"),
            (".bash_profile", "_.bash_profile"), ("...", "_..."), ("~", "_~"), (" ", #"\u{20}"#),
            ("  ", #"\u{20}\u{20}"#), (" a ", #"\u{20}a\u{20}"#), ("\u{A0}", #"\u{a0}"#),
            (" .profile", #"\u{20}.profile"#), ("\u{200B}.profile", #"\u{200b}.profile"#),
            ("\u{AD}-rf", #"\u{ad}-rf"#), ("a\u{2028}b", #"a\u{2028}b"#), ("\u{301}a", #"\u{301}a"#),
            (".huddle-0123456789abcdef.partial", "_.huddle-0123456789abcdef.partial"),
        ]
    )
    func shown(_ text: String, _ expected: String) throws {
        let name = try FileName(text).arriving
        #expect(name.text == expected)
        #expect(name.arriving == name)
    }

    @Test(
        "A name that its escapes make too long is shortened and keeps its suffix",
        arguments: [
            String(repeating: "\u{202E}", count: 80) + ".exe", "." + String(repeating: "a", count: 254),
            String(repeating: " ", count: 255), "-" + String(repeating: "é", count: 120) + ".dat",
        ]
    )
    func long(_ text: String) throws {
        let name = try FileName(text).arriving
        #expect(name.bytes.count <= FileName.maximumByteCount - 16)
        #expect(name.text.hasSuffix(text.hasSuffix(".exe") ? ".exe" : text.hasSuffix(".dat") ? ".dat" : ""))
        #expect(name.arriving == name)
    }
}
