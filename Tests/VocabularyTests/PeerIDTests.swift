import Testing

@testable import Vocabulary

@Suite("Peer ID", .timeLimit(.minutes(5)))
struct PeerIDTests {
    private static let counting = PeerID(bytes: Array(0..<32))

    @Test("A peer ID is written in groups and parsed with any case and hyphens")
    func text() throws {
        let id = try #require(Self.counting)
        #expect(id.description.count == 52 + 12)
        #expect(try PeerID(id.description) == id)
        #expect(try PeerID(id.description.uppercased()) == id)
        #expect(try PeerID(id.description.filter { $0 != "-" }) == id)
        #expect(id.short == String(id.description.prefix(9)))
        #expect(id.bytes == Array(0..<32))
    }

    @Test("Base 32 is that of RFC 4648", arguments: [("", ""), ("f", "my"), ("fo", "mzxq"), ("foobar", "mzxw6ytboi")])
    func base32(_ plain: String, _ text: String) {
        #expect(Base32.text(of: Array(plain.utf8)) == text)
        #expect(Base32.bytes(of: text) == Array(plain.utf8))
    }

    @Test(
        "An invalid peer ID is refused with a hint",
        arguments: ["", "deck", "aaaa", "0000-1111", String(repeating: "a", count: 53)]
    )
    func refusals(_ text: String) {
        let failure = #expect(throws: InvalidName.self) { try PeerID(text) }
        #expect(failure?.code == "peer.not-an-id")
        #expect(failure?.nextStep.contains("huddle identity") == true)
    }

    @Test("Surplus bits are refused, so each peer ID has one encoding")
    func leftOverBits() {
        #expect(Base32.bytes(of: "mz") == nil)
        #expect(Base32.bytes(of: "my") == [UInt8(ascii: "f")])
    }

    @Test("A peer ID has exactly 32 bytes", arguments: [0, 31, 33])
    func length(_ count: Int) {
        #expect(PeerID(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    @Test("Peer IDs sort by their bytes")
    func order() throws {
        var random = SystemRandomNumberGenerator()
        let ids = (0..<200).compactMap { _ in
            PeerID(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &random) })
        }
        #expect(ids.sorted().map(\.bytes) == ids.map(\.bytes).sorted { $0.lexicographicallyPrecedes($1) })
    }

    @Test("A typed prefix matches its peer ID")
    func prefixes() throws {
        let id = try #require(Self.counting)
        #expect(id.matches(prefix: "AAAQ-ea"))
        #expect(id.matches(prefix: id.description))
        #expect(!id.matches(prefix: "aaab"))
        #expect(!id.matches(prefix: ""))
        #expect(!id.matches(prefix: "-"))
    }
}
