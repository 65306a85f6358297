import Testing

@Suite("A Swift source", .timeLimit(.minutes(5)))
struct SwiftSourceTests {
    private func code(_ text: String) -> String {
        SwiftSource(path: "A.swift", text: text).tokens.map(\.text).joined(separator: " ")
    }

    @Test(
        "the code of a source is without comments and texts",
        arguments: [
            ("a // b", "a"), ("a /* b */ c", "a c"), ("a /* b /* c */ d */ e", "a e"), ("a /* b\nc */ d", "a d"),
            ("a \"b\" c", "a c"),
            (#"a "b\"c" d"#, "a d"), (#"a "\\" d"#, "a d"), (#"a "\(b)" c"#, "a ( b ) c"),
            (#"a "\(b("c"))" d"#, "a ( b ( ) ) d"),
            (#"a "x\(b + "\(c)")y" d"#, "a ( b + ( c ) ) d"), ("a #\"b\"c\\(d)\"# e", "a e"),
            ("a #\"b\\#(c)\"# d", "a ( c ) d"),
            ("a \"\"\"\n b \"c\" d\n \"\"\" e", "a e"), ("a \"\"\"\n \\(b) c\n \"\"\" d", "a ( b ) d"),
            ("a #/b\"c/# d", "a d"), ("a \"// b\" c", "a c"),
            ("a / b / c", "a / b / c"), ("a \"unfinished\nb", "a b"), ("// \"\na", "a"), ("", ""),
            ("a.b(c)!", "a . b ( c ) !"), ("é ñ_1", "é ñ_1"),
        ]
    )
    func codeAlone(_ text: String, _ expected: String) {
        #expect(code(text) == expected)
    }

    @Test("a source keeps its lines")
    func lines() {
        let source = SwiftSource(path: "Sources/X/Y.swift", text: "a\n/* b\nc */\n\"\"\"\nd\n\"\"\"\ne // f\n")
        #expect(source.tokens.map(\.line) == [1, 7])
        #expect(source.codeLineCount() == 2)
        #expect(source.codeLineCount(in: 2...7) == 1)
        #expect(source.comments(at: 7).contains("f"))
        #expect(source.name == "Y")
    }

    @Test("the comments that belong to a line are found")
    func comments() {
        let source = SwiftSource(
            path: "A.swift",
            text: "// far\n\n// one\n/// two\n@attribute\nlet a = 1 // three\nlet b = 2"
        )
        #expect(["one", "two", "three"].allSatisfy(source.comments(at: 6).contains))
        #expect(!source.comments(at: 6).contains("far"))
        #expect(!source.comments(at: 7).contains("three"))
    }
}
