import Testing
import Transport

@Suite("Digest", .timeLimit(.minutes(1)))
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

    @Test("random bytes are as many as asked for, and others each time")
    func random() {
        #expect(RandomBytes.make(0).isEmpty)
        #expect(RandomBytes.make(32).count == 32)
        #expect(RandomBytes.make(32) != RandomBytes.make(32))
    }
}

func hex(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16)
        return digits.count == 1 ? "0" + digits : digits
    }.joined()
}
