import SessionRules
import Synchronization
import Testing
import TestSupport
import Vocabulary

@Suite("Pairing", .timeLimit(.minutes(5)))
struct PairingTests {
    @Test("the commitment and the code are hashed over exactly the bytes of the protocol")
    func recipe() throws {
        let heard = Heard()
        let recipe = PairingRecipe(inviter: Sample.small, invited: Sample.large, hash: heard.hash)
        _ = recipe.commitment(to: Sample.nonce(3))
        let code = recipe.code(inviterNonce: Sample.nonce(3), invitedNonce: Sample.nonce(4), binding: Sample.binding)
        let keys = Sample.small.bytes + Sample.large.bytes
        let nonces = [UInt8](repeating: 3, count: 32) + [UInt8](repeating: 4, count: 32)
        #expect(
            heard.bytes == [
                Array("huddle pairing commitment".utf8) + [UInt8](repeating: 3, count: 32) + keys,
                Array("huddle pairing code".utf8) + keys + nonces + Sample.binding,
            ]
        )
        // 0x0102030405060708 = 72623859790382856
        #expect(code.description == "382 856")
    }

    @Test("each input changes the code")
    func binding() {
        let swapped = PairingRecipe(inviter: Sample.large, invited: Sample.small, hash: Sample.mixed)
        let other = [UInt8](repeating: 8, count: 32)
        let codes = [
            Sample.recipe.code(inviterNonce: Sample.nonce(1), invitedNonce: Sample.nonce(2), binding: Sample.binding),
            Sample.recipe.code(inviterNonce: Sample.nonce(2), invitedNonce: Sample.nonce(1), binding: Sample.binding),
            Sample.recipe.code(inviterNonce: Sample.nonce(1), invitedNonce: Sample.nonce(2), binding: other),
            swapped.code(inviterNonce: Sample.nonce(1), invitedNonce: Sample.nonce(2), binding: Sample.binding),
        ]
        #expect(Set(codes).count == codes.count)
    }

    @Test(
        "a typed code is read with or without blanks, and nothing else is",
        arguments: [
            ("482913", 482_913), ("482 913", 482_913), (" 4 8 2\t913\n", 482_913), ("000 007", 7),
            ("482\u{A0}913", 482_913),
            ("48291", nil), ("4829130", nil), ("482-913", nil), ("48291a", nil), ("", nil), ("٤٨٢٩١٣", nil),
            ("+82913", nil),
        ] as [(String, UInt32?)]
    )
    func typing(text: String, number: UInt32?) {
        #expect(PairingCode(typed: text)?.number == number)
    }

    @Test("a code prints as two groups of three that can be typed again")
    func printing() {
        #expect(Sample.code(7).description == "000 007")
        #expect(Sample.code(482_913).description == "482 913")
        #expect(PairingCode(typed: Sample.code(90_001).description) == Sample.code(90_001))
        #expect(PairingCode(number: 1_000_000) == nil)
    }

    @Test("nonces and commitments have 32 bytes, and random ones differ")
    func sizes() {
        #expect(PairingNonce(bytes: [UInt8](repeating: 0, count: 31)) == nil)
        #expect(PairingCommitment(bytes: [UInt8](repeating: 0, count: 33)) == nil)
        var generator = SeededGenerator(seed: 1)
        let nonce = PairingNonce.random(using: &generator)
        #expect(nonce.bytes.count == 32)
        #expect(nonce != PairingNonce.random(using: &generator))
    }
}

/// A hash that remembers what it was asked.
private final class Heard: Sendable {
    private let kept = Mutex<[[UInt8]]>([])

    var bytes: [[UInt8]] { kept.withLock { $0 } }

    var hash: PairingRecipe.Hash {
        { bytes in
            self.kept.withLock { $0.append(bytes) }
            return (1...32).map { UInt8($0) }
        }
    }
}
