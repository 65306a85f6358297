import Vocabulary
import Testing

@Suite("File name", .timeLimit(.minutes(5)))
struct FileNameTests {
    @Test(
        "A valid file name is unchanged",
        arguments: ["a", "save.dat", "...", "..a", ".hidden", "Zoë 🎮", "a\\b", " ", String(repeating: "x", count: 255)]
    )
    func takesNames(text: String) throws {
        let name = try FileName(text)
        #expect(name.text == text)
        #expect(name.bytes == Array(text.utf8))
        #expect(try FileName(bytes: name.bytes) == name)
    }

    @Test(
        "A name that leads elsewhere or confuses a reader is refused with its rule",
        arguments: [
            ("", FileName.Refusal.empty),
            (".", .leadsElsewhere),
            ("..", .leadsElsewhere),
            ("/", .separator),
            ("/etc/passwd", .separator),
            ("../save", .separator),
            ("a/b", .separator),
            ("a\0b", .controlCharacter),
            ("a\nb", .controlCharacter),
            ("a\u{1B}[2Jb", .controlCharacter),
            ("a\u{7F}", .controlCharacter),
            ("a\u{9B}b", .controlCharacter),
            (String(repeating: "x", count: 256), .tooLong),
            (String(repeating: "é", count: 128), .tooLong),
        ]
    )
    func refuses(text: String, rule: FileName.Refusal) {
        #expect(throws: rule) { try FileName(text) }
    }

    @Test("A refusal names the broken rule in words")
    func saysWhy() {
        #expect("\(FileName.Refusal.controlCharacter)" == "it has a control character in it")
        #expect("\(FileName.Refusal.tooLong)" == "it has more than 255 bytes")
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80], [0xC0, 0xAF]] as [[UInt8]]
    )
    func refusesBrokenUTF8(bytes: [UInt8]) {
        #expect(throws: FileName.Refusal.notUTF8) { try FileName(bytes: bytes) }
    }

    @Test("Two Unicode forms that Swift treats as equal are two names, as they are two files")
    func comparesBytes() throws {
        let (composed, decomposed) = (try FileName("\u{E9}"), try FileName("e\u{301}"))
        #expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        #expect(Set([composed, decomposed]).count == 2)
        #expect(decomposed < composed)
    }
}
