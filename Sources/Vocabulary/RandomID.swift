/// Sixteen random bytes that name one thing. `Kind` keeps the ids of different things apart, so that they can't be swapped.
public struct RandomID<Kind>: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    /// A new one, from the system's generator.
    public static func random() -> RandomID {
        var generator = SystemRandomNumberGenerator()
        return RandomID(high: generator.next(), low: generator.next())
    }

    /// - Parameter bytes: exactly 16; nil otherwise
    public init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        func word(_ bytes: some Collection<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
    }

    /// The first eight bytes and the last eight, most significant first.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first eight bytes and the last eight, most significant first.
    public var words: (high: UInt64, low: UInt64) { (high, low) }

    /// All sixteen.
    public var bytes: [UInt8] {
        [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * $0)) } }
    }
}

extension RandomID: CustomStringConvertible {
    /// Thirty-two hexadecimal digits.
    public var description: String {
        [high, low].map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}

/// Names a session: a set of connected peers.
public typealias SessionID = RandomID<SessionKind>
/// Names one request to join a session.
public typealias InvitationID = RandomID<InvitationKind>
/// Names one file or folder on its way.
public typealias TransferID = RandomID<TransferKind>
/// Names one lane beside the control lane.
public typealias LaneID = RandomID<LaneKind>

/// What a ``SessionID`` names.
public enum SessionKind: Sendable {}
/// What an ``InvitationID`` names.
public enum InvitationKind: Sendable {}
/// What a ``TransferID`` names.
public enum TransferKind: Sendable {}
/// What a ``LaneID`` names.
public enum LaneKind: Sendable {}
