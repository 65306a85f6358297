import Household
import Session
import Testing
import Vocabulary

@Suite("A line of the daemon's log", .timeLimit(.minutes(1)))
struct DaemonLogLineTests {
    @Test(
        "a log line stays one line that hides, colours and turns nothing, whatever a peer has named",
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
        #expect(LogLine(DaemonLine.trouble(text))?.description == expected)
        #expect(LogLine(LogLine(text).description) == LogLine(text))
    }

    @Test("a log line has a limited length")
    func bounded() {
        #expect(LogLine(String(repeating: "a", count: 1_000_000)).description.count < 17_000)
    }

    @Test("The log has the code of an error, and neither messages nor progress")
    func chosen() throws {
        let peer = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 7, count: 32))), try InstanceName("Deck"))
        var line = DaemonLine(.message(MessageEvent(peer, .text("secret"))), "secret")
        #expect(LogLine(line)?.description == "\(peer.full) sent a message (6 B)")
        let gone = PassedOnError(SessionError(.lost))
        line = DaemonLine(.notSent(NotSentEvent(peer, name: "a", path: "/a", transfer: 1, gone)), "it failed")
        #expect(LogLine(line)?.description == "it failed (session.lost)")
        let progress = TransferProgressEvent(.sending, peer, "a", done: 1, total: 2, transfer: 1)
        #expect(LogLine(DaemonLine(.progress(progress), "half")) == nil)
        #expect(LogLine(DaemonLine.machine(.left, peer, "x", because: "left")) == nil)
        #expect(LogLine(.machine(.left, peer, "x", because: "lost"))?.description == "\(peer.full): left (lost)")
        // Each message has a session of its own: two more lines for each would fill the log.
        #expect(LogLine(DaemonLine.machine(.joined, peer, nil)) == nil)
    }
}
