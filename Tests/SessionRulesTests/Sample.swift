import SessionRules
import Vocabulary

/// Values that tests use where any would do.
enum Sample {
    static let start = ContinuousClock.now
    static let small = peer(1)
    static let large = peer(2)
    static let binding = [UInt8](repeating: 7, count: 32)
    static let recipe = PairingRecipe(inviter: small, invited: large, hash: mixed)
    static let fault = TransferFault(code: "resource.disk-full", message: "no room")

    static func peer(_ number: UInt8) -> PeerID {
        guard let peer = PeerID(bytes: [number] + [UInt8](repeating: 0, count: 31)) else { fatal("32 bytes are an id") }
        return peer
    }

    static func nonce(_ number: UInt8) -> PairingNonce {
        guard let nonce = PairingNonce(bytes: [UInt8](repeating: number, count: 32)) else { fatal("32 bytes suffice") }
        return nonce
    }

    static func code(_ number: UInt32) -> PairingCode {
        guard let code = PairingCode(number: number) else { fatal("a code has six digits") }
        return code
    }

    /// No cryptography, but each byte counts, and so does its place.
    static let mixed: PairingRecipe.Hash = { bytes in
        (0..<4).flatMap { lane -> [UInt8] in
            var state = UInt64(lane) &+ 0xCBF2_9CE4_8422_2325
            for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
            state = (state ^ (state >> 31)) &* 0x94D0_49BB_1331_11EB
            return (0..<8).map { UInt8(truncatingIfNeeded: state >> (8 * $0)) }
        }
    }

    private static func fatal(_ rule: String) -> Never { preconditionFailure(rule) }
}

extension ContinuousClock.Instant {
    /// So many seconds after the start of all tests.
    static func at(_ seconds: Double) -> Self { Sample.start + .seconds(seconds) }
}
