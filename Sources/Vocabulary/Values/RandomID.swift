/// Sixteen random bytes that name an object.
public typealias RandomID<Kind> = SixteenBytes<Kind>

extension RandomID where Kind: NamedByLot {
    /// A new ID from the system's generator.
    public static func random() -> RandomID {
        var generator = SystemRandomNumberGenerator()
        return random(using: &generator)
    }

    /// A new ID from a generator.
    public static func random(using generator: inout some RandomNumberGenerator) -> RandomID {
        RandomID(high: generator.next(), low: generator.next())
    }
}

/// A kind of object with random IDs.
public protocol NamedByLot: Sendable {}

/// Names a session: a set of connected peers.
public typealias SessionID = RandomID<SessionKind>
/// Names one request to join a session.
public typealias InvitationID = RandomID<InvitationKind>
/// Names one transfer of a file or folder.
public typealias TransferID = RandomID<TransferKind>
/// Names one data channel beside the control channel.
public typealias ChannelID = RandomID<ChannelProtocol>

/// Kind of a ``SessionID``.
public enum SessionKind: NamedByLot {}
/// Kind of an ``InvitationID``.
public enum InvitationKind: NamedByLot {}
/// Kind of a ``TransferID``.
public enum TransferKind: NamedByLot {}
/// Kind of a ``ChannelID``.
public enum ChannelProtocol: NamedByLot {}
