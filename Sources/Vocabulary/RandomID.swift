/// Sixteen random bytes that name one thing.
public typealias RandomID<Kind> = SixteenBytes<Kind>

extension RandomID where Kind: NamedByLot {
    /// A new one, from the system's generator.
    public static func random() -> RandomID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// A new one, from a generator.
    public static func random(using generator: inout some RandomNumberGenerator) -> RandomID {
        RandomID(high: generator.next(), low: generator.next())
    }
}

/// A kind of thing whose names are drawn by lot.
public protocol NamedByLot: Sendable {}

/// Names a session: a set of connected peers.
public typealias SessionID = RandomID<SessionKind>
/// Names one request to join a session.
public typealias InvitationID = RandomID<InvitationKind>
/// Names one file or folder on its way.
public typealias TransferID = RandomID<TransferKind>
/// Names one lane beside the control lane.
public typealias LaneID = RandomID<LaneKind>

/// What a ``SessionID`` names.
public enum SessionKind: NamedByLot {}
/// What an ``InvitationID`` names.
public enum InvitationKind: NamedByLot {}
/// What a ``TransferID`` names.
public enum TransferKind: NamedByLot {}
/// What a ``LaneID`` names.
public enum LaneKind: NamedByLot {}
