import Testing

@testable import tictactoe

@Suite("Input line")
struct TypingTests {
    /// The text before and after the cursor, and the entered lines.
    private func typed(_ pieces: [UInt8]...) -> (before: String, after: String, entered: [String]) {
        var (keyboard, line, entered) = (Keyboard(), InputLine(), [String]())
        for key in pieces.flatMap({ keyboard.keys(in: $0) }) {
            if let text = line.take(key) { entered.append(text) }
        }
        return (line.before, line.after, entered)
    }

    private func typed(_ text: String) -> (before: String, after: String, entered: [String]) { typed(Array(text.utf8)) }

    @Test(
        "Keys move and edit",
        arguments: [
            ("abc\u{1B}[D", "ab", "c"), ("abc\u{1B}OD\u{1B}[D\u{1B}[C", "ab", "c"), ("abc\u{2}\u{2}\u{6}", "ab", "c"),
            ("ab\u{1B}[Hx", "x", "ab"), ("ab\u{1B}[1~x", "x", "ab"), ("ab\u{1}x\u{5}y", "xaby", ""),
            ("ab\u{1B}[H\u{1B}[Fx", "abx", ""), ("ab\u{1}\u{1B}[4~x", "abx", ""), ("abc\u{7F}\u{8}", "a", ""),
            ("abc\u{1}\u{1B}[3~\u{4}", "", "c"), ("one two  \u{17}", "one ", ""), ("one\u{17}x", "x", ""),
            ("abc\u{1B}[D\u{15}", "", "c"), ("abc\u{1B}[D\u{B}", "ab", ""), ("\u{1B}[D\u{1B}[C\u{7F}\u{1B}[3~", "", ""),
            ("äé\u{301}😀\u{1B}[D\u{7F}", "ä", "😀"), ("a\u{1B}[1;5Db", "b", "a"),
        ]
    )
    func editing(_ keys: String, _ before: String, _ after: String) {
        let line = typed(keys)
        #expect(line == (before, after, []))
    }

    @Test(
        "An unknown key has no effect",
        arguments: [
            "\u{1B}[15~", "\u{1B}[[A", "\u{1B}OP", "\u{1B}[I", "\u{1B}[200~", "\u{1B}[<0;10;10M", "\u{1B}", "\t",
            "\u{0}",
            "\u{C}", "\u{9B}", "\u{1B}[1;2\u{1}",
        ]
    )
    func ignored(_ keys: String) {
        let line = typed(keys + "x")
        #expect(line == ("x", "", []))
    }

    @Test("Keys may arrive in pieces, and invalid UTF-8 is skipped")
    func pieces() {
        let bytes = Array("ä\u{1B}[D😀\u{1B}[3~b".utf8)
        var (keyboard, line) = (Keyboard(), InputLine())
        for byte in bytes { for key in keyboard.keys(in: [byte]) { _ = line.take(key) } }
        #expect(line.before == "😀b" && line.after.isEmpty)
        #expect(typed([0x61, 0xC3], [0x28, 0xFF, 0xE2, 0x82], [0x41, 0x62]) == ("a(Ab", "", []))
        #expect(typed([0x1B, UInt8(ascii: "[")] + Array(repeating: 0x31, count: 100), [0x61]).entered.isEmpty)
    }

    @Test("A line is entered completely, wherever the cursor is, and the arrow up recalls it")
    func past() {
        #expect(typed("ab\u{1}\n5\r\n\n") == ("", "", ["ab", "5", ""]))
        #expect(typed("one\ntwo\ntw\u{1B}[A") == ("two", "", ["one", "two"]))
        #expect(typed("one\ntwo\n\u{1B}[A\u{1B}[A\u{1B}[A").before == "one")
        #expect(typed("one\ntwo\ntw\u{1B}[A\u{1B}[A\u{1B}[B\u{1B}[B\u{1B}[B").before == "tw")
        #expect(typed("one\n\u{10}x\n\u{10}").entered == ["one", "onex"])
    }

    @Test("Input is limited to the length of a chat line, and scrolls if it does not fit")
    func long() {
        let line = typed(String(repeating: "x", count: Word.chatLimit + 5))
        #expect(line.before.count == Word.chatLimit)
        var input = InputLine()
        for scalar in "0123456789".unicodeScalars { _ = input.take(.text(scalar)) }
        #expect(input.shown(in: 4) == ("6789", ""))
        for _ in 0..<8 { _ = input.take(.left) }
        #expect(input.shown(in: 4) == ("01", "23"))
        for scalar in "日本".unicodeScalars { _ = input.take(.text(scalar)) }
        #expect(
            input.shown(in: 5) == ("1日本", "") && input.shown(in: 4) == ("日本", "") && input.shown(in: 3) == ("本", "2")
        )
    }
}
