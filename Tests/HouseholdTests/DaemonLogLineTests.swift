import Household
import Testing
import Vocabulary

@Suite("a line of the daemon's log", .timeLimit(.minutes(1)))
struct DaemonLogLineTests {
    @Test(
        "is one line that hides, colours and turns nothing, whatever a peer has named",
        arguments: [
            ("a file\nhuddled: all is well", "a file; huddled: all is well"),
            ("a\r\nb", #"a\u{d}\u{a}b"#), ("a\u{1B}[31mb", #"a\u{1b}[31mb"#),
            ("a\u{202E}b", #"a\u{202e}b"#), ("a\u{200B}b", #"a\u{200b}b"#),
            ("a\u{2028}b", #"a\u{2028}b"#),
            ("a\u{85}b", #"a\u{85}b"#), (#"a\u{202e}b"#, #"a\u{202e}b"#),
            ("Käte’s “Deck”", "Käte’s “Deck”"),
        ]
    )
    func harmless(text: String, expected: String) {
        #expect(LogLine(text).description == expected)
        #expect(LogLine(SessionNews("trouble", nil, text))?.description == expected)
        #expect(LogLine(LogLine(text).description) == LogLine(text))
    }

    @Test("is bounded")
    func bounded() {
        #expect(LogLine(String(repeating: "a", count: 1_000_000)).description.count < 17_000)
    }

    @Test("holds neither what a message says nor how far a transfer is, and an error's code")
    func chosen() {
        var news = SessionNews("message", nil, "secret") { $0.text = "secret" }
        #expect(LogLine(news)?.description == "? sent a message (6 B)")
        news = SessionNews("not-sent", nil, "it failed") {
            ($0.message, $0.reason) = ("it", "transfer.gone")
        }
        #expect(LogLine(news)?.description == "it failed (transfer.gone)")
        #expect(LogLine(SessionNews("progress", nil, "half")) == nil)
        news = SessionNews("left", nil, "x") { $0.reason = "left" }
        #expect(LogLine(news) == nil)
        news = SessionNews("left", nil, "x") { $0.reason = "lost" }
        #expect(LogLine(news)?.description == "?: left (lost)")
        // Each message has a session of its own: that would be two lines more for each.
        #expect(LogLine(SessionNews("joined", nil, nil)) == nil)
    }
}
