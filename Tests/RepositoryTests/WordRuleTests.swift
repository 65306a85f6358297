import Testing
import Workbench

@Suite("The rule of words", .timeLimit(.minutes(1)))
struct WordRuleTests {
    /// Put together, so that this very file does not break the rule.
    private static let unclear = "who" + "ever"

    private static func rule() throws -> WordRule {
        WordRule(glossary: try Repository.text(of: "docs/internals/glossary.md"))
    }

    private func lines(_ text: String, at path: String = "Sources/X/Thing.swift") throws -> [Int] {
        try Self.rule().findings(in: Array(text.utf8), at: path).map(\.line)
    }

    @Test("The repository has the glossary's words")
    func repository() throws {
        let rule = try Self.rule()
        let code = ["Sources", "Tests"].flatMap { Repository.files(below: $0, withSuffix: ".swift") }
        let articles = Repository.files(below: "Sources", withSuffix: ".md")
        // Fragments of changes are collected into one page and then removed.
        let pages = Repository.files(below: "docs", withSuffix: ".md")
        let findings = try (["README.md"] + code + articles + pages).flatMap { path in
            rule.findings(in: try Repository.bytes(of: path), at: path)
        }
        #expect(findings.isEmpty, "\(findings.map(\.description).joined(separator: "\n"))")
    }

    @Test("The glossary yields the phrases after “Not:”, and no others")
    func glossary() {
        let page = """
            # Page
            ## Words for people
            - **machine**: a computer, in code `Peer`. Not: `node`,
              `two words`. Not in code: `free`
            - **game**: Not: set.

            ## Plain English
            - Not: `bad`. Write `good`.
            ## Words for the code
            - Not: `old`.
            """
        let rule = WordRule(glossary: page)
        #expect(rule.forUsers.map { String(decoding: $0, as: UTF8.self) } == ["node", "two words"])
        #expect(rule.plain.map { String(decoding: $0, as: UTF8.self) } == ["bad"])
    }

    @Test("A word is found in comments and texts, with a small or a capital letter")
    func words() throws {
        let word = Self.unclear
        #expect(try lines("// ok\n/// \(word) reads\nlet a = \"W\(word.dropFirst()) reads\"") == [2, 3])
        #expect(try lines("/// a\(word) \(word)s `\(word)`") == [])
        #expect(try lines("ok `\(word)` and\n```\n\(word)\n```\n\(word)", at: "docs/x.md") == [5])
    }

    @Test("A word that only users must not meet is found in their pages alone")
    func userWords() throws {
        #expect(try lines("A node.", at: "docs/how-to/x.md") == [1])
        #expect(try lines("A node.", at: "docs/internals/x.md") == [])
    }

    @Test("A command and an error code are names, and no words")
    func names() throws {
        let word = Self.unclear
        #expect(try lines("run huddle \(word)\n  \(word)  runs\nrun \(word)", at: WordRule.commandPage) == [3])
        #expect(try lines("let a = \"command.\(word)-pairs\"") == [])
    }

    @Test("A doc comment that begins with a relative clause is found")
    func comments() throws {
        let riddle = "///" + " What it does."
        #expect(try lines("    \(riddle)\n/// Names\n\(riddle)\n// What it does.") == [1])
    }
}
