/// Thirty-two bytes that are compared and hashed over and never looked into. `Kind` keeps those of different meaning
/// apart, so that they can't be swapped.
public struct ThirtyTwoBytes<Kind>: Hashable, Sendable {
    /// How many there are.
    public static var byteCount: Int { 32 }

    private let first: SixteenBytes<Kind>
    private let second: SixteenBytes<Kind>

    /// - Parameter bytes: exactly 32; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == Self.byteCount, let first = SixteenBytes<Kind>(bytes: bytes.prefix(16)),
            let second = SixteenBytes<Kind>(bytes: bytes.dropFirst(16))
        else { return nil }
        (self.first, self.second) = (first, second)
    }

    /// All of them.
    public var bytes: [UInt8] { first.bytes + second.bytes }
}

extension ThirtyTwoBytes: WireValue {
    init(from reader: inout FrameReader) throws(PayloadFault) {
        (first, second) = (try reader.value(), try reader.value())
    }

    func write(to bytes: inout [UInt8]) {
        first.write(to: &bytes)
        second.write(to: &bytes)
    }
}

/// What one side adds to the pairing code; secret until it is revealed.
public typealias PairingNonce = ThirtyTwoBytes<PairingNonceKind>
/// What the inviter binds itself to before it knows the other side's nonce.
public typealias PairingCommitment = ThirtyTwoBytes<PairingCommitmentKind>
/// What shows that a further lane belongs to a link.
public typealias LaneProof = ThirtyTwoBytes<LaneProofKind>

/// What a ``PairingNonce`` is.
public enum PairingNonceKind: Sendable {}
/// What a ``PairingCommitment`` is.
public enum PairingCommitmentKind: Sendable {}
/// What a ``LaneProof`` is.
public enum LaneProofKind: Sendable {}
