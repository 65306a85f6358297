import Testing
import Wire

@Suite("Datagrams", .timeLimit(.minutes(5)))
struct DatagramTests {
    @Test("A datagram matches its test vector in both directions")
    func vectors() throws {
        let vectors = try Vectors()
        let samples: [String: DatagramContent] = [
            "data": .data(session: Sample.session, bytes: Array("hi".utf8)[...]), "probe": .probe(9),
            "probe-answer": .probeAnswer(9),
        ]
        #expect(Set(samples.keys) == Set(vectors.datagram.keys))
        for (name, content) in samples {
            #expect(content.encoded == vectors.datagram[name])
            #expect(try DatagramContent(decoding: content.encoded) == content)
        }
        let header = DatagramHeader(linkTag: 0x1122_3344_5566_7788, sequence: 5)
        #expect(header.encoded == vectors.header["header"])
        #expect(try DatagramHeader(of: header.encoded + [UInt8](repeating: 0, count: 16)) == header)
    }

    @Test("A datagram that is too short, too long or foreign is refused by its header")
    func foreign() {
        let good = DatagramHeader(linkTag: 1, sequence: 2).encoded
        func isRefused(_ bytes: [UInt8]) -> Bool { (try? DatagramHeader(of: bytes)) == nil }
        #expect(isRefused([]))
        #expect(isRefused(good + [UInt8](repeating: 0, count: 15)))
        #expect(!isRefused(good + [UInt8](repeating: 0, count: WireLimits.datagram - 18)))
        #expect(isRefused(good + [UInt8](repeating: 0, count: WireLimits.datagram - 17)))
        #expect(isRefused([0x49] + good[1...] + [UInt8](repeating: 0, count: 16)))
        #expect(isRefused([0x48, 2] + good[2...] + [UInt8](repeating: 0, count: 16)))
    }

    @Test("A datagram has at most 1,150 bytes of a message, and a probe has only its number")
    func limits() throws {
        let full = DatagramContent.data(session: Sample.session, bytes: [UInt8](repeating: 1, count: 1150)[...])
        #expect(try DatagramContent(decoding: full.encoded) == full)
        #expect(throws: WireError.self) { try DatagramContent(decoding: full.encoded + [1]) }
        #expect(throws: WireError.self) { try DatagramContent(decoding: [1, 0, 0, 0, 0, 0, 0, 0, 9, 9]) }
        #expect(
            try DatagramContent(decoding: [1, 0, 0, 0, 0, 0, 0, 0, 9, 9], peerMinor: WireVersion.minor + 1) == .probe(9)
        )
        #expect(throws: WireError.self) { try DatagramContent(decoding: [3] + [UInt8](repeating: 0, count: 8)) }
        #expect(throws: WireError.self) { try DatagramContent(decoding: []) }
        for count in 0..<17 {
            #expect(throws: WireError.self) {
                try DatagramContent(decoding: [0] + [UInt8](repeating: 0, count: count - 1 < 0 ? 0 : count - 1))
            }
        }
    }
}
