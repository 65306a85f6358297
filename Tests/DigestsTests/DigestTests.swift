import Digests
import Testing

@Suite("Digest", .timeLimit(.minutes(10)))
struct DigestTests {
    // The first two are of FIPS 180-2, appendix B, and RFC 4231, test case 2.
    @Test("SHA-256 and HMAC give what their standards say")
    func vectors() {
        #expect(hex(Digest.sha256(Array("abc".utf8))).hasPrefix("ba7816bf8f01cfea"))
        #expect(hex(Digest.sha256([])).hasPrefix("e3b0c44298fc1c14"))
        let proof = Digest.authentication(of: Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(hex(proof) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("an empty key and an empty text are allowed")
    func empty() {
        #expect(hex(Digest.authentication(of: [], key: [])).hasPrefix("b613679a0814d9ec"))
    }

    @Test("secrets are equal when all their bytes are")
    func equality() {
        #expect(Digest.areEqual([], []))
        #expect(Digest.areEqual([1, 2, 3], [1, 2, 3]))
        #expect(!Digest.areEqual([1, 2, 3], [1, 2, 4]))
        #expect(!Digest.areEqual([1, 2, 3], [1, 2]))
    }

    @Test("A stream of any pieces gives the digest of one call, and starts again each time")
    func streaming() {
        let bytes = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var stream = SHA256Stream()
        for step in [1, 63, 64, 65, 1_000] {
            for start in stride(from: 0, to: bytes.count, by: step) {
                stream.update(Array(bytes[start..<min(start + step, bytes.count)]))
            }
            let digest = stream.finish()
            #expect(digest.bytes == Digest.sha256(bytes))
        }
        let nothing = stream.finish()
        #expect(nothing.bytes == Digest.sha256([]))
    }

    @Test("a digest's words, bytes and text say the same, and its order is that of the bytes")
    func forms() throws {
        let digest = try #require(SHA256Digest(bytes: Array(0..<32)))
        #expect(digest.bytes == Array(0..<32))
        #expect(digest.words.0 == 0x0001_0203_0405_0607)
        #expect(digest == SHA256Digest(words: digest.words))
        #expect(digest.description == hex(Array(0..<32)))
        #expect(SHA256Digest(bytes: Array(0..<31)) == nil)
        let later = try #require(SHA256Digest(bytes: Array(0..<31) + [32]))
        #expect(digest < later && digest != later)
    }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}
