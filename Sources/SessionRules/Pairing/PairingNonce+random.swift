public import Vocabulary

extension PairingNonce {
    /// A new one.
    /// - Parameter generator: the system's, apart from tests
    public static func random(using generator: inout some RandomNumberGenerator) -> PairingNonce {
        func half() -> SixteenBytes<PairingNonceKind> {
            SixteenBytes(high: generator.next(), low: generator.next())
        }
        return PairingNonce(half(), half())
    }
}
