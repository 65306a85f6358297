import ArchiveProperties
import FoundationEssentials
import TestSupport
import Testing
import Workbench

@Suite("Mutated texts", .timeLimit(.minutes(10)))
struct TextMutationTests {
    private static let rounds = 1_500
    /// The insertions of a mutation, beside single bytes: words with a meaning for a reader.
    private static let words: [String] = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud83d", "\\udc00", "-", "0", "1e", "e308", ".", "null",
        "true", "<", ">", "</", "/>", "<a>",
        "</a>", "<!--", "-->", "--", "<![CDATA[", "]]>", "&", "&lt;", "&#", "&#x", ";", "<?", "?>", "<!DOCTYPE",
        "<dict>", "</dict>", "<key>", "</key>",
        "<true/>", "<data>", "<real>", "nan", "0x", "=", "'", " ", "\r\n", "\u{FEFF}", "é", "\u{FFFF}", "\0",
    ]

    @Test("a JSON text is refused, or read and written as the same", arguments: UInt64(1)...4)
    func json(seed: UInt64) throws {
        try mutate(kinds: ["json"], seed: seed) { JSONProperties.violation(for: $0) }
    }

    @Test("an XML text is refused, or read and written as the same", arguments: UInt64(1)...4)
    func xml(seed: UInt64) throws {
        try mutate(kinds: ["plist", "xml"], seed: seed) { XMLProperties.violation(for: $0) }
    }

    @Test(
        "every text of the corpus is refused, or read and written as the same",
        arguments: Corpus.files(["json", "plist", "xml"]).filter { !$0.isBinary }
    )
    func corpus(file: Corpus.File) throws {
        let bytes = try file.bytes()
        #expect(JSONProperties.violation(for: bytes) == nil)
        #expect(XMLProperties.violation(for: bytes) == nil)
    }

    @Test(
        "findings of the fuzzer stay fixed, and its examples hold",
        arguments: ["json", "xml"].flatMap { Repository.fuzzedInputs($0) }
    )
    func settled(path: String) throws {
        let bytes = Array(try Data(contentsOf: URL(filePath: "\(Repository.root)/\(path)")))
        let isJSON = path.contains("/json/")
        #expect((isJSON ? JSONProperties.violation(for: bytes) : XMLProperties.violation(for: bytes)) == nil)
    }

    private func mutate(kinds: Set<String>, seed: UInt64, violation: ([UInt8]) -> String?) throws {
        let small = try Corpus.files(kinds).filter { !$0.isBinary }.map { try $0.bytes() }.filter { $0.count < 3_000 }
        #expect(small.count > 15)
        let found = Mutants(of: small, rounds: Self.rounds, seed: seed).firstViolation(changing: Self.mutate, violation)
        #expect(found == nil)
    }

    private static func mutate(_ bytes: inout [UInt8], _ dice: inout SeededGenerator) {
        let place = Int.random(in: 0...bytes.count, using: &dice)
        let word = words[Int.random(in: 0..<words.count, using: &dice)].utf8
        let rest = bytes.count - place
        switch Int.random(in: 0..<6, using: &dice) {
        case 0: bytes.insert(contentsOf: word, at: place)
        case 1: bytes.replaceSubrange(place..<min(place + word.count, bytes.count), with: word)
        case 2: bytes.removeSubrange(place..<place + Int.random(in: 0...min(rest, 8), using: &dice))
        case 3 where rest > 0: bytes[place] = .random(in: .min ... .max, using: &dice)
        case 4 where rest > 0: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &dice)
        default:
            bytes.insert(contentsOf: bytes[place..<place + Int.random(in: 0...min(rest, 40), using: &dice)], at: place)
        }
    }
}
