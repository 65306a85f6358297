/// Sixteen bytes that tell two pieces of a stream apart: their XXH3 of 128 bits. It guards against accidents; a peer that
/// means harm is TLS's matter (`docs/decisions/008-digests-against-accidents.md`).
public struct ResourceDigest: Hashable, Sendable {
    /// How many bytes a digest has.
    public static let byteCount = 16

    let high: UInt64
    let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// - Parameter bytes: exactly 16; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// All sixteen, most significant first.
    public var bytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }

    var hexadecimal: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

extension FixedWidthInteger {
    /// The bytes, most significant first.
    var bigEndianBytes: [UInt8] {
        withUnsafeBytes(of: bigEndian) { Array($0) }
    }
}
