/// What the owner of a ``PublicKey`` makes of some bytes and of its secret key, by Ed25519 (RFC 8032).
public struct Signature: Hashable, Sendable {
    /// How many bytes a signature has.
    public static let byteCount = 64

    /// Eight times eight bytes, most significant first.
    public let words: SIMD8<UInt64>

    /// - Parameter words: eight times eight bytes, most significant first
    public init(words: SIMD8<UInt64>) {
        self.words = words
    }

    /// - Parameter bytes: exactly 64; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        words = Array(bytes).withUnsafeBytes { bytes in
            var words = SIMD8<UInt64>()
            for place in words.indices {
                words[place] = UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 8, as: UInt64.self))
            }
            return words
        }
    }

    /// All of them.
    public var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.byteCount)
        for place in words.indices {
            withUnsafeBytes(of: words[place].bigEndian) { bytes.append(contentsOf: $0) }
        }
        return bytes
    }
}
