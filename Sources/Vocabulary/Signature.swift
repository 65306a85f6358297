/// What the owner of a ``PublicKey`` makes of some bytes and of its secret key, by Ed25519 (RFC 8032).
public struct Signature: Hashable, Sendable {
    /// How many bytes a signature has.
    public static let byteCount = 64

    /// Held without a list of its own: a version has many of them.
    private let point: FourWords
    private let factor: FourWords

    /// - Parameter bytes: exactly 64; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        (point, factor) = Array(bytes).withUnsafeBytes { bytes in
            (FourWords(loadedFrom: bytes, at: 0), FourWords(loadedFrom: bytes, at: FourWords.byteCount))
        }
    }

    /// All of them.
    public var bytes: [UInt8] { point.bytes + factor.bytes }
}
