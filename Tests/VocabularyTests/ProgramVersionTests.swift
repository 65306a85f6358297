import Testing
import Vocabulary

@Suite("Program version", .timeLimit(.minutes(5)))
struct ProgramVersionTests {
    @Test(
        "A program version is a short word of version characters",
        arguments: ["0.1.0", "1", "12.0~rc1+git-3", "tip"]
    )
    func taken(_ text: String) { #expect(ProgramVersion(text)?.description == text) }

    @Test(
        "Any other text is refused as a program version",
        arguments: ["", "1 2", "1\n", "1\u{1B}[2J", "é", "1/2", String(repeating: "1", count: 41)]
    )
    func refused(_ text: String) { #expect(ProgramVersion(text) == nil) }

    @Test(
        "Program versions are compared by their numbers",
        arguments: [
            ("0.1.0", "0.2.0", true), ("0.9.0", "0.10.0", true), ("2", "1.9", false), ("0.1.0-1", "0.1.1~rc1", true),
            ("0.1.0", "0.1.0-2", nil), ("tip", "0.1.0", nil), ("0.1.0", "tip", nil), ("1..2", "1.2", nil),
            ("99999999999999999999999", "1", nil),
        ] as [(String, String, Bool?)]
    )
    func order(_ one: String, _ other: String, _ isOlder: Bool?) throws {
        let (one, other) = (try #require(ProgramVersion(one)), try #require(ProgramVersion(other)))
        #expect(one.isOlder(than: other) == isOlder)
        #expect(other.isOlder(than: one) == isOlder.map { !$0 })
    }
}
