/// Sixteen bytes that are compared and never looked into, such as a digest. `Kind` keeps those of different meaning
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
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }
}

extension SixteenBytes: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        (high, low) = (try reader.integer(), try reader.integer())
    }

    func write(to bytes: inout [UInt8]) {
        bytes.append(integer: high)
        bytes.append(integer: low)
    }
}

/// What a resource is recognised by when its transfer is taken up again.
public typealias ResourceIdentity = SixteenBytes<ResourceIdentityKind>
/// The digest of a block or of a whole resource.
public typealias ContentDigest = SixteenBytes<ContentDigestKind>

/// What a ``ResourceIdentity`` is.
public enum ResourceIdentityKind: Sendable {}
/// What a ``ContentDigest`` is.
public enum ContentDigestKind: Sendable {}
