import Testing
import Transport
import Vocabulary

@Suite("Signatures of a machine", .timeLimit(.minutes(1)))
struct SigningTests {
    @Test("A signature is accepted for its own bytes and key only, and is the same each time")
    func ownSignature() throws {
        let (identity, other) = (Identity.ephemeral(), Identity.ephemeral())
        let text = Array("huddle".utf8)
        let signature = identity.signature(of: text)
        #expect(identity.signature(of: text) == signature)
        #expect(identity.publicKey.hasSigned(text, signature))
        #expect(!other.publicKey.hasSigned(text, signature) && !identity.publicKey.hasSigned(text + [0], signature))
        #expect(identity.peerID != other.peerID)
        for place in 0..<Signature.byteCount {
            var bytes = signature.bytes
            bytes[place] ^= 1
            #expect(!identity.publicKey.hasSigned(text, try #require(Signature(bytes: bytes))), "byte \(place)")
        }
    }

    /// The second example of RFC 8032, section 7.1.
    @Test("A signature is Ed25519, and a second encoding of it is refused")
    func example() throws {
        let key = try #require(
            PublicKey(bytes: bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c"))
        )
        let made = bytes(
            "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
                + "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00"
        )
        #expect(key.hasSigned([0x72], try #require(Signature(bytes: made))))
        // The order of the group, little-endian, added to the factor.
        let order = bytes("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var (spelled, carry) = (made, 0)
        for place in 0..<32 {
            let sum = Int(made[32 + place]) + Int(order[place]) + carry
            (spelled[32 + place], carry) = (UInt8(sum & 0xFF), sum >> 8)
        }
        #expect(!key.hasSigned([0x72], try #require(Signature(bytes: spelled))))
    }

    @Test("A signature has 64 bytes", arguments: [0, 63, 65])
    func length(_ count: Int) {
        #expect(Signature(bytes: [UInt8](repeating: 1, count: count)) == nil)
    }

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        stride(from: 0, to: hexadecimal.count, by: 2).compactMap { place in
            UInt8(hexadecimal.dropFirst(place).prefix(2), radix: 16)
        }
    }
}
