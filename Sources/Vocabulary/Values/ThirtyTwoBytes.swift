/// Thirty-two opaque bytes. `Kind` makes different uses different types, so that they can't be swapped.
public struct ThirtyTwoBytes<Kind>: Hashable, Sendable {
    /// Number of bytes.
    public static var byteCount: Int { 32 }

    /// The first sixteen bytes.
    public let first: SixteenBytes<Kind>
    /// The last sixteen bytes.
    public let second: SixteenBytes<Kind>

    /// The first and the last sixteen bytes.
    public init(_ first: SixteenBytes<Kind>, _ second: SixteenBytes<Kind>) {
        (self.first, self.second) = (first, second)
    }

    /// - Parameter bytes: 32 bytes; any others give nil
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, let first = SixteenBytes<Kind>(bytes: bytes.prefix(16)),
            let second = SixteenBytes<Kind>(bytes: bytes.dropFirst(16))
        else { return nil }
        self.init(first, second)
    }

    /// The bytes in their order.
    public var bytes: [UInt8] { first.bytes + second.bytes }
}

/// Proof that a machine knows the code of a pairing, computed by its side of the exchange.
public typealias PairingConfirmation = ThirtyTwoBytes<PairingConfirmationKind>
/// Proof that a further data channel belongs to a link.
public typealias ChannelProof = ThirtyTwoBytes<ChannelProofKind>

/// Kind of a ``PairingConfirmation``.
public enum PairingConfirmationKind: Sendable {}
/// Kind of a ``ChannelProof``.
public enum ChannelProofKind: Sendable {}
