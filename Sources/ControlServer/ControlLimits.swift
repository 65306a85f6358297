/// Limits for callers. Anything beyond is refused or closed, without effect on other callers.
public struct ControlLimits: Sendable, Hashable {
    /// Maximum number of connections. A further caller replaces the longest idle one; if all are busy, it waits.
    public var connections: UInt32 = 64
    /// Maximum size of a request body in bytes.
    public var bodyBytes = 1 << 20
    /// Maximum size of all bodies in progress in bytes; a caller beyond it must try again.
    public var bodyBytesTogether = 16 << 20
    /// Maximum size of the request line and the headers in bytes.
    public var headBytes = 32 << 10
    /// Time limit of silence within a request, or of an idle connection.
    public var idle: Duration = .seconds(30)

    /// Limits for the programs of one user.
    public init() {}
}
