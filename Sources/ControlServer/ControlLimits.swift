/// How much callers may take. Whatever goes beyond is refused or closed, and costs the others nothing.
public struct ControlLimits: Sendable, Hashable {
    /// How many connections at once. Who comes when there are as many pushes out whoever has been silent longest; while all of them are
    /// being answered, it waits.
    public var connections: UInt32 = 64
    /// Of one request's body.
    public var bodyBytes = 1 << 20
    /// Of all bodies together that are being read or answered; who comes with more is told to try again.
    public var bodyBytesTogether = 16 << 20
    /// For the line and the headers of a request.
    public var headBytes = 32 << 10
    /// How long a caller may be silent in the middle of a request, or hold a connection without any.
    public var idle: Duration = .seconds(30)

    /// What is right for one user's programs.
    public init() {}
}
