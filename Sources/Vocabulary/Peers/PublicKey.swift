/// The public Ed25519 key of a machine: 32 bytes, the y of a point and the sign of its x (RFC 8032).
///
/// Eight points have a small order. A signature with one of them proves nothing: with the neutral point as the key, one
/// signature fits every message, so any machine could sign in its name. Two encodings of one point would give one
/// machine two IDs. Neither can be built.
public struct PublicKey: Hashable, Sendable {
    /// Length of a key in bytes.
    public static let byteCount = 32

    /// Stored without an array: a version has many of them.
    private let words: FourWords

    /// The encoded key.
    public var bytes: [UInt8] { words.bytes }

    /// - Parameter bytes: the 32 bytes of a point in its canonical encoding, whose order is not small; others give nil.
    ///   Only the check of a signature finds out if the point is on the curve.
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var height = Array(bytes)
        let words = height.withUnsafeBytes { FourWords(loadedFrom: $0, at: 0) }
        height[Self.byteCount - 1] &= 0x7F
        // Two heights of small order belong to x = 0, which has no sign: this refuses their second encodings, too.
        guard Self.isReduced(height), !Self.smallOrderHeights.contains(height) else { return nil }
        self.words = words
    }

    /// True if y is below 2^255 - 19, which makes its encoding canonical.
    private static func isReduced(_ height: [UInt8]) -> Bool {
        height[0] < 0xED || height[byteCount - 1] != 0x7F || height[1..<byteCount - 1].contains { $0 != 0xFF }
    }

    /// The y of the points whose order is 1, 2, 4 and 8.
    private static let smallOrderHeights: [[UInt8]] = [
        [1] + zeros,
        [0xEC] + [UInt8](repeating: 0xFF, count: 30) + [0x7F],
        [0] + zeros,
        [
            0x26, 0xE8, 0x95, 0x8F, 0xC2, 0xB2, 0x27, 0xB0, 0x45, 0xC3, 0xF4, 0x89, 0xF2, 0xEF, 0x98, 0xF0,
            0xD5, 0xDF, 0xAC, 0x05, 0xD3, 0xC6, 0x33, 0x39, 0xB1, 0x38, 0x02, 0x88, 0x6D, 0x53, 0xFC, 0x05,
        ],
        [
            0xC7, 0x17, 0x6A, 0x70, 0x3D, 0x4D, 0xD8, 0x4F, 0xBA, 0x3C, 0x0B, 0x76, 0x0D, 0x10, 0x67, 0x0F,
            0x2A, 0x20, 0x53, 0xFA, 0x2C, 0x39, 0xCC, 0xC6, 0x4E, 0xC7, 0xFD, 0x77, 0x92, 0xAC, 0x03, 0x7A,
        ],
    ]
    private static let zeros = [UInt8](repeating: 0, count: 31)
}

extension PublicKey {
    /// The key as a SubjectPublicKeyInfo in DER (RFC 8410). It is built here, so its encoding is unique.
    public var subjectPublicKeyInfo: [UInt8] { Self.infoPrefix + bytes }

    private static let infoPrefix: [UInt8] = [
        0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00,
    ]
}

extension PeerID {
    /// The ID of the machine with this key.
    ///
    /// - Parameter hash: SHA-256
    public init(of key: PublicKey, hashedBy hash: (_ bytes: [UInt8]) -> [UInt8]) {
        guard let id = PeerID(bytes: hash(key.subjectPublicKeyInfo)) else {
            preconditionFailure("a hash has \(Self.byteCount) bytes")
        }
        self = id
    }
}
