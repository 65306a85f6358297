import Testing
import Vocabulary

@Suite("Instance name", .timeLimit(.minutes(5)))
struct InstanceNameTests {
    @Test(
        "An instance name has up to 63 bytes of UTF-8 of any characters",
        arguments: [
            "a", " ", "Deck", "Living room", "Käte’s Laptop", "デッキ", "a.b", "_x._tcp", "..", "/etc/passwd",
            String(repeating: "a", count: 63), String(repeating: "é", count: 31), String(repeating: "🎮", count: 15),
            String(repeating: "🎮", count: 15) + "abc", "👨‍👩‍👧", "e\u{301}", "\\", "%s",
        ]
    )
    func isAccepted(_ text: String) throws {
        let name = try InstanceName(text)
        #expect(Array(name.text.utf8) == Array(text.utf8), "no byte is changed: the network compares bytes")
    }

    @Test(
        "A longer instance name is refused, by bytes and not by characters",
        arguments: [
            (String(repeating: "a", count: 64), 64), (String(repeating: "é", count: 32), 64),
            (String(repeating: "🎮", count: 16), 64), (String(repeating: "🎮", count: 15) + "abcd", 64),
            (String(repeating: "e\u{301}", count: 22), 66), (String(repeating: "a", count: 100_000), 100_000),
        ]
    )
    func isTooLong(_ text: String, _ bytes: Int) throws {
        let error = try #require(throws: InvalidName.self) { try InstanceName(text) }
        #expect(error.code == "name.too-long")
        #expect(error.message.contains("it has \(bytes) bytes and 63 are allowed"))
        #expect(error.description.count < 500)
    }

    @Test("An empty instance name is refused")
    func isNotEmpty() throws {
        let error = try #require(throws: InvalidName.self) { try InstanceName("") }
        #expect(error.code == "name.empty")
    }

    @Test(
        "An instance name with a control character is refused",
        arguments: ["\u{0}", "a\u{0}b", "\n", "a\r\nb", "\t", "\u{1B}[31m", "\u{7F}", "\u{80}", "\u{9B}31m", "\u{9F}"]
    )
    func hasNoControl(_ text: String) throws {
        let error = try #require(throws: InvalidName.self) { try InstanceName(text) }
        #expect(error.code == "name.control-character")
        #expect(!error.description.unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test(
        "Instance names are equal as in DNS: by bytes, with A to Z equal to a to z",
        arguments: [
            ("Deck", "dECK", true), ("DECK-9 [x]", "deck-9 [X]", true), ("Z", "z", true), ("A", "a", true),
            ("É", "é", false), ("é", "e\u{301}", false), ("\u{212B}", "\u{C5}", false), ("ß", "SS", false),
            ("@", "`", false), ("[", "{", false), ("a", "b", false), ("a", "aa", false), ("ſ", "s", false),
            ("\u{212A}", "k", false), ("İ", "i", false),
        ]
    )
    func equality(_ left: String, _ right: String, _ isEqual: Bool) throws {
        let (left, right) = (try InstanceName(left), try InstanceName(right))
        #expect((left == right) == isEqual)
        #expect(Set([left, right]).count == (isEqual ? 1 : 2))
        #expect((left.hashValue == right.hashValue) == isEqual)
        #expect((left < right || right < left) == !isEqual, "equal names sort together, others don't")
        #expect(!(left < right && right < left))
    }

    @Test("Instance names sort by the bytes that equality compares")
    func order() throws {
        let sorted = try ["b", "A", "a1", "é", "B2", "Z", "_"].map { try InstanceName($0) }.sorted().map(\.text)
        #expect(sorted == ["_", "A", "a1", "b", "B2", "Z", "é"])
    }

    @Test("An instance name prints without terminal control characters")
    func description() throws {
        #expect(try InstanceName("Deck \u{202E}gpj").description == #"Deck \u{202e}gpj"#)
        #expect(try InstanceName(#"a\b"#).description == #"a\\b"#)
        #expect(try InstanceName(String(repeating: "é", count: 31)).description.count == 31)
    }

    @Test(
        "An instance name has the same alternative as in Avahi",
        arguments: [
            ("Deck", "Deck #2"),
            ("Deck #2", "Deck #3"),
            ("Deck #9", "Deck #10"),
            ("Deck #9998", "Deck #9999"),
            ("Deck #9999", "Deck #9999 #2"),
            ("Deck #1", "Deck #1 #2"),
            ("Deck #x", "Deck #x #2"),
            ("Deck#2", "Deck#2 #2"),
            ("#2", "#2 #2"),
            (" #2", " #2 #2"),
            ("#", "# #2"),
            (String(repeating: "a", count: 63), String(repeating: "a", count: 60) + " #2"),
            (String(repeating: "🎮", count: 15), String(repeating: "🎮", count: 15) + " #2"),
            (String(repeating: "🎮", count: 15) + "abc", String(repeating: "🎮", count: 15) + " #2"),
            (String(repeating: "a", count: 60) + " #9", String(repeating: "a", count: 59) + " #10"),
        ]
    )
    func alternative(_ text: String, _ expected: String) throws {
        let alternative = try InstanceName(text).alternative
        #expect(alternative.text == expected)
        #expect(try InstanceName(alternative.text) == alternative, "what it becomes is a name again")
    }
}
