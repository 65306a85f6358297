import SaveRules
import Testing
import Vocabulary
import Workbench

@Suite("The page of the exchange", .timeLimit(.minutes(5)))
struct ProtocolPageTests {
    private let set = SaveSetID(high: 0x0001_0203_0405_0607, low: 0x0809_0A0B_0C0D_0E0F)
    private let snapshot = SnapshotID(
        words: (0xAAAA_AAAA_AAAA_AAAA, 0xAAAA_AAAA_AAAA_AAAA, 0xAAAA_AAAA_AAAA_AAAA, 0xAAAA_AAAA_AAAA_AAAA)
    )

    private func peer(_ byte: UInt8) throws -> PeerID {
        try #require(PeerID(bytes: [UInt8](repeating: byte, count: 32)))
    }

    /// Code other than the code under test wrote the examples.
    @Test("the bytes on the page are read as it says, and written as they are")
    func examples() throws {
        let examples = try Repository.examples(on: "docs/internals/sync-protocol.md")
        try #require(examples.count == 7)
        let piece = PieceReference(try #require(PieceID(bytes: [UInt8](repeating: 0xBB, count: 32))), length: 5)
        let version = try #require(VersionVector([.init(try peer(0x11), 3)]))
        let messages: [SaveMessage] = [
            .offer(
                SaveOffer(
                    set,
                    named: try SaveSetName("celeste"),
                    ignored: try PathPatterns(["*.log"]),
                    chosen: ChosenNames([try FileName("slot.sav")]),
                    fellows: [try peer(0x22)]
                )
            ),
            .heads(set, [SnapshotHead(snapshot, version)]),
            .ask(set, ExchangeEpoch(7), HistoryRequest(wanted: [snapshot], known: [])),
            .want(set, ExchangeEpoch(7), snapshot, [piece]),
            .claim(set, LeaseClaim(try peer(0x11), term: 2, isHeld: true, played: .seconds(840))),
            .cutOff(set, CutOffPlay(of: try peer(0x22), saved: 5)),
        ]
        for (message, bytes) in zip(messages, examples) {
            #expect(try SaveMessage(decoding: bytes, from: peer(0x11)) == message)
            #expect(message.encoded == bytes)
        }
        var reader = SaveDeliveryReader()
        reader.append(examples[6])
        let delivery = try #require(try reader.next())
        guard case .piece(set, ExchangeEpoch(7), let id, let contents) = delivery else {
            Issue.record("the last example is a piece")
            return
        }
        #expect(contents == Array("hello".utf8) && id.description.hasPrefix("2cf24dba"))
        #expect(delivery.encoded == examples[6])
    }

    @Test("the page has the bounds that the code has")
    func bounds() throws {
        let page = try Repository.text(of: "docs/internals/sync-protocol.md")
        let bounds = [
            (SaveDelivery.maximumByteCount, 4_719_680, "at most 4,719,680 without"),
            (SnapshotHead.maximumCount, 64, "at most 64"),
            (HistoryRequest.maximumWantedCount, 256, "at most 256"),
            (SaveMessage.maximumWantedCount, 256, "at most 256"),
            (SaveOffer.maximumRulesByteCount, 64 << 10, "64 KiB"),
            (Exchange.historyLimit, 65_536, "65,536 snapshots"),
            (Exchange.stagedByteLimit, 8 << 20, "of a set, 8 MiB"),
            (VersionVector.maximumPeerCount, 64, "machines in a version | 64"),
            (Snapshot.maximumByteCount, 512 << 10, "a version | 512 KiB"),
        ]
        for (bound, number, words) in bounds { #expect(bound == number && page.contains(words), "\(words)") }
    }
}
