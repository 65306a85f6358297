/// An Ed25519 signature of some bytes by the owner of a ``PublicKey`` (RFC 8032).
public struct Signature: Hashable, Sendable {
    /// Length of a signature in bytes.
    public static let byteCount = 64

    /// Stored without an array: a version has many of them.
    private let point: FourWords
    private let factor: FourWords

    /// - Parameter bytes: 64 bytes; any others give nil
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        (point, factor) = Array(bytes).withUnsafeBytes { bytes in
            (FourWords(loadedFrom: bytes, at: 0), FourWords(loadedFrom: bytes, at: FourWords.byteCount))
        }
    }

    /// The encoded signature.
    public var bytes: [UInt8] { point.bytes + factor.bytes }
}
