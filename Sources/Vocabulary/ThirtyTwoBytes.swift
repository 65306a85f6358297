/// Thirty-two bytes that are compared and hashed over and never looked into. `Kind` keeps those of different meaning
/// apart, so that they can't be swapped.
public struct ThirtyTwoBytes<Kind>: Hashable, Sendable {
    /// How many there are.
    public static var byteCount: Int { 32 }

    /// The first sixteen.
    public let first: SixteenBytes<Kind>
    /// The other sixteen.
    public let second: SixteenBytes<Kind>

    /// The first sixteen and the other sixteen.
    public init(_ first: SixteenBytes<Kind>, _ second: SixteenBytes<Kind>) {
        (self.first, self.second) = (first, second)
    }

    /// - Parameter bytes: exactly 32; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, let first = SixteenBytes<Kind>(bytes: bytes.prefix(16)),
            let second = SixteenBytes<Kind>(bytes: bytes.dropFirst(16))
        else { return nil }
        self.init(first, second)
    }

    /// All of them.
    public var bytes: [UInt8] { first.bytes + second.bytes }
}

/// Proof that a machine knows the code of a pairing, made by its side of the exchange.
public typealias PairingConfirmation = ThirtyTwoBytes<PairingConfirmationKind>
/// What shows that a further lane belongs to a link.
public typealias LaneProof = ThirtyTwoBytes<LaneProofKind>

/// What a ``PairingConfirmation`` is.
public enum PairingConfirmationKind: Sendable {}
/// What a ``LaneProof`` is.
public enum LaneProofKind: Sendable {}
