/// The response to a ``ControlRequest``.
public struct ControlResponse: Sendable {
    /// Waits for the next bytes of a streamed response; nil at its end. It is cancelled when the caller disconnects,
    /// and only called again after the bytes were sent. If it throws, the response is aborted in a way that the caller
    /// can distinguish from its end.
    public typealias Source = @Sendable () async throws -> [UInt8]?

    /// The body.
    public enum Body: Sendable {
        /// All bytes.
        case bytes([UInt8])
        /// A stream of bytes.
        case stream(Source)
    }

    /// The HTTP status, 200 to 599.
    public var status: Int
    /// The type of the body, such as `application/json`.
    public var type: String
    /// The body.
    public var body: Body

    /// Further headers by name.
    public var headers: [String: String] = [:]
    /// For a temporary refusal: seconds until the next attempt.
    public var retryAfter: Int?
    /// For a refused method: the permitted ones.
    public var allowed: [String] = []

    /// Creates a response.
    public init(status: Int = 200, type: String = "application/json", _ body: Body) {
        precondition((200...599).contains(status), "\(status) is not an HTTP status of a response")
        self.status = status
        self.type = type
        self.body = body
    }
}
