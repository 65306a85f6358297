import Testing
import Vocabulary

@Suite("Label", .timeLimit(.minutes(5)))
struct LabelTests {
    @Test("A short printable text is a label", arguments: ["chat", "Zoë 🎮", String(repeating: "x", count: 128)])
    func taken(_ text: String) throws {
        #expect(try Label(text).text == text)
    }

    @Test(
        "A text that does not fit on a line is refused with its rule",
        arguments: [
            ("", "label.empty"), ("a\u{1B}[2J", "label.control-character"),
            (String(repeating: "x", count: 129), "label.too-long"),
        ] as [(String, ErrorCode)]
    )
    func refused(_ text: String, _ code: ErrorCode) {
        #expect(#expect(throws: InvalidName.self) { try Label(text) }?.code == code)
    }

    @Test("Labels are equal if their bytes are")
    func equality() throws {
        #expect(try Label("\u{E9}") != Label("e\u{301}"))
    }
}
