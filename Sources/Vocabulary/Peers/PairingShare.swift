/// The public share of one side of a pairing: an uncompressed point of the curve P-256. Without the code it reveals
/// nothing about the code.
///
/// This type checks the form only; the exchange refuses a point that is not on the curve.
public struct PairingShare: Hashable, Sendable {
    /// Number of bytes: one for the form, and two coordinates.
    public static let byteCount = 65
    private static let uncompressed: UInt8 = 4

    /// The encoded point.
    public let bytes: [UInt8]

    /// - Parameter bytes: 65 bytes that begin with 4; any others give nil
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, bytes.first == Self.uncompressed else { return nil }
        self.bytes = Array(bytes)
    }
}
