import Testing
import Vocabulary

@testable import Household

@Suite("a piece of news", .timeLimit(.minutes(5)))
struct NewsFieldsTests {
    @Test("is read as it was written, with all there is in it")
    func roundTrip() throws {
        let peer = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), try InstanceName("Deck"))
        let news = SessionNews("any", peer, "a sentence") {
            ($0.session, $0.invitation, $0.name, $0.code) = ("chat", "0f", "x\u{1B}[2J", "482913")
            ($0.reason, $0.because, $0.message, $0.next, $0.errorClass) = ("a", "b", "c", "d", "v")
            ($0.text, $0.base64, $0.path, $0.kind, $0.version) = ("e", "Zg==", "/g", "h", "1")
            ($0.port, $0.bytes, $0.total) = (1, 3, 4)
            ($0.number, $0.transfer, $0.time) = (5, 6, 7)
            ($0.isNew, $0.isTrouble) = (true, true)
            ($0.allows, $0.details, $0.counts) = ([], ["j": "k"], ["l": 8])
            ($0.set, $0.snapshot, $0.state) = ("m", "n", "o")
            ($0.heads, $0.sharers, $0.files) = (["p"], ["q"], ["f"])
            $0.needsCode = false
        }
        let line = news.fields.line
        let again = try SessionNews(JSONFields(Array(line.utf8)))
        #expect(again.fields.line == line)
        #expect(again.name == "x\u{1B}[2J" && !line.contains("\u{1B}"))
        // One for each property that is set above. A line with a type has no others.
        #expect(news.fields.keys.count == Mirror(reflecting: news).children.count - 1)
        #expect(!news.forPrograms.fields.keys.contains("sentence"))
    }

    @Test("is refused where something in it is not what it should be")
    func mistyped() {
        for line in [#"{"event":1}"#, #"{"event":"a","port":70000}"#, #"{"event":"a","peer":{"id":"x"}}"#, "[]"] {
            #expect(throws: (any Error).self) { try SessionNews(JSONFields(Array(line.utf8))) }
        }
    }
}
