/// The public half of one side of a pairing: a point of the curve P-256, uncompressed. Without the code it tells nothing about the code.
///
/// The form alone is checked here; the exchange refuses what is no point of the curve.
public struct PairingShare: Hashable, Sendable {
    /// The number of its bytes: one that names the form, and two coordinates.
    public static let byteCount = 65
    private static let uncompressed: UInt8 = 4

    /// All of them.
    public let bytes: [UInt8]

    /// - Parameter bytes: exactly 65 that begin with 4; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, bytes.first == Self.uncompressed else { return nil }
        self.bytes = Array(bytes)
    }
}
