public import Vocabulary

extension PairingNonce {
    /// One that is no secret.
    public static var zero: PairingNonce { .repeating(0) }

    /// 32 times this byte.
    public static func repeating(_ byte: UInt8) -> PairingNonce {
        guard let nonce = PairingNonce(bytes: [UInt8](repeating: byte, count: 32)) else {
            preconditionFailure("a nonce has 32 bytes")
        }
        return nonce
    }
}
