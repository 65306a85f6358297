/// The limits for callers. A request beyond a limit is refused or its connection closed, without effect on other
/// callers.
public struct ControlLimits: Sendable, Hashable {
    /// The maximum number of connections. A further caller replaces the longest idle one. If all are busy, it waits.
    public var connections: UInt32 = 64
    /// The maximum size of a request body, in bytes.
    public var bodyBytes = 1 << 20
    /// The maximum size of all bodies in progress, in bytes. A caller beyond it must try again.
    public var bodyBytesTogether = 16 << 20
    /// The maximum size of the request line and the headers, in bytes.
    public var headBytes = 32 << 10
    /// The time limit of silence within a request, and of an idle connection.
    public var idle: Duration = .seconds(30)

    /// Creates the limits for the programs of one user.
    public init() {}
}
