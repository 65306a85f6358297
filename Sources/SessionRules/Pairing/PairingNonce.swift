/// What one side of a pairing throws in: 32 random bytes, fresh for each attempt, because a nonce that was revealed once
/// commits to nothing.
public struct PairingNonce: Hashable, Sendable {
    /// How many bytes it has.
    public static let byteCount = 32

    /// All of them.
    public let bytes: [UInt8]

    /// - Parameter bytes: exactly 32; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = Array(bytes)
    }

    /// A new one.
    /// - Parameter generator: the system's, apart from tests
    public static func random(using generator: inout some RandomNumberGenerator) -> PairingNonce {
        PairingNonce(unchecked: (0..<byteCount).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
    }

    private init(unchecked bytes: [UInt8]) {
        self.bytes = bytes
    }
}
