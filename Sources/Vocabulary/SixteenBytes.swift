/// Sixteen bytes that are compared and never looked into: a name drawn by lot, or a digest. `Kind` keeps those of different meaning
/// apart, so that they can't be swapped.
public struct SixteenBytes<Kind>: Hashable, Sendable {
    /// How many there are.
    public static var byteCount: Int { 16 }

    private let high: UInt64
    private let low: UInt64

    /// The first eight bytes and the last eight, most significant first.
    public init(high: UInt64, low: UInt64) {
        (self.high, self.low) = (high, low)
    }

    /// - Parameter bytes: exactly 16; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
    }

    /// The first eight bytes and the last eight, most significant first.
    public var words: (high: UInt64, low: UInt64) { (high, low) }

    /// All of them.
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

/// What a resource is recognised by when its transfer is taken up again: the same unchanged file or folder has the same identity again,
/// also in another run of the program, and a changed one has another.
///
/// It lets a receiver find what it already holds. It proves nothing: what is held is compared block by block.
public typealias ResourceIdentity = SixteenBytes<ResourceIdentityKind>
/// What tells two blocks, or two whole resources, apart. It guards against accidents, not against harm.
public typealias ContentDigest = SixteenBytes<ContentDigestKind>

/// What a ``ResourceIdentity`` is.
public enum ResourceIdentityKind: Sendable {}
/// What a ``ContentDigest`` is.
public enum ContentDigestKind: Sendable {}
