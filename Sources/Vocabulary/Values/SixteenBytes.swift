/// Sixteen opaque bytes: a random name, or a digest. `Kind` makes different uses different types, so that they can't be
/// swapped.
public struct SixteenBytes<Kind>: Hashable, Sendable {
    /// Number of bytes.
    public static var byteCount: Int { 16 }

    private let high: UInt64
    private let low: UInt64

    /// The first eight bytes and the last eight, most significant first.
    public init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// - Parameter bytes: 16 bytes; any others give nil
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
    }

    /// The first eight bytes and the last eight, most significant first.
    public var words: (high: UInt64, low: UInt64) { (high, low) }

    /// The bytes, most significant first.
    public var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}

extension SixteenBytes: CustomStringConvertible {
    /// Thirty-two hexadecimal digits.
    public var description: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// Identifies a resource when its transfer resumes: an unchanged file or folder keeps its identity, also in another run
/// of the program, and a changed one has another.
/// By it, a receiver finds the bytes that it already has. It proves nothing: the bytes are compared block by block.
public typealias ResourceIdentity = SixteenBytes<ResourceIdentityKind>
/// Digest of a block or a whole resource. It detects accidents, not attacks.
public typealias ContentDigest = SixteenBytes<ContentDigestKind>

/// Kind of a ``ResourceIdentity``.
public enum ResourceIdentityKind: Sendable {}
/// Kind of a ``ContentDigest``.
public enum ContentDigestKind: Sendable {}
