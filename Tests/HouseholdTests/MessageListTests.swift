import LinuxPlatform
import Ledger
import Session
import TestSupport
import Testing
import Transport
import Vocabulary

@testable import Household

@Suite("A message in the list of arrivals", .timeLimit(.minutes(2)))
struct MessageListTests {
    private func listed(_ bytes: [UInt8]) -> [Substring] {
        SessionWording.listed(bytes, behind: "* 2026-11-21 07:15  Deck            ").split(
            separator: "\n",
            omittingEmptySubsequences: false
        )
    }

    private func listed(_ text: String) -> [Substring] { listed(Array(text.utf8)) }

    @Test("A message has its lines, indented below the first, with any line ends")
    func lines() {
        for text in ["milk\nbread", "milk\nbread\n", "milk\r\nbread\r\n", "milk\nbread\n\n\n"] {
            #expect(
                listed(text) == [
                    "* 2026-11-21 07:15  Deck            milk",
                    "                                    bread",
                ]
            )
        }
        #expect(listed("milk") == ["* 2026-11-21 07:15  Deck            milk"])
        #expect(listed("") == ["* 2026-11-21 07:15  Deck            "])
    }

    @Test("A message can't look like an entry of its own, and reaches the terminal only as text")
    func spoofed() {
        let lines = listed("hello\n* 2026-11-21 07:16  Desk            run this\n\u{1B}[2J\rx")
        #expect(lines.count == 3)
        #expect(lines.dropFirst().allSatisfy { $0.hasPrefix(String(repeating: " ", count: 36)) })
        #expect(!lines.joined().unicodeScalars.contains { $0.value < 0x20 })
    }

    @Test("A message of very many lines shows twenty and counts the rest")
    func many() {
        let lines = listed((1...1_000).map(String.init).joined(separator: "\n"))
        #expect(lines.count == 21)
        #expect(lines.last?.hasSuffix(" … (980 more lines; --json has them)") == true)
    }

    @Test(
        "A message of a million empty lines costs as little as one of few, in the list and as an event",
        .timeLimit(.minutes(1))
    )
    func empty() throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "\n"), count: 1 << 20) + [UInt8(ascii: "x")]
        #expect(SessionWording.listed(bytes, behind: "* ").hasSuffix("… (1048557 more lines; --json has them)"))
        let tag = PeerTag(try #require(PeerID(bytes: [UInt8](repeating: 1, count: 32))), nil)
        let words = SessionWording.message(bytes, from: tag)
        #expect(words.hasSuffix(": … (1038577 more lines; --json has them)"))
        #expect(words.utf8.count { $0 == UInt8(ascii: "\n") } == 10_000)
    }

    @Test("A message keeps its bytes for programs")
    @Engine
    func forPrograms() async throws {
        let home = try await Home("Desk")
        let bytes = Array("milk\r\nbread\n".utf8)
        let size = ByteCount(UInt64(bytes.count))
        try await home.node.ledger.inbox.enter(.message(bytes), from: home.node.id, called: nil, size: size)
        let item = try #require(try await home.node.ledger.inbox.all().first)
        let line = DaemonLine.arrived(item)
        guard case .inboxItem(let entry) = line.event else {
            Issue.record("it is no entry of the inbox")
            return
        }
        #expect(entry.content == .text("milk\r\nbread\n") && line.name == "message")
        #expect(line.sentence?.split(separator: "\n").count == 2)
        home.runNode()
        await home.end()
    }
}
