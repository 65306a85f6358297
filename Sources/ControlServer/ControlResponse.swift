/// The response to a ``ControlRequest``.
public struct ControlResponse: Sendable {
    /// Waits for the next bytes of a streamed response; nil at its end. It is cancelled when the caller disconnects,
    /// and called again only after the bytes were sent. If it throws, the server aborts the response, and the caller
    /// can distinguish this from its end.
    public typealias Source = @Sendable () async throws -> [UInt8]?

    /// The body, as bytes or as a stream.
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
    /// The bytes or the stream to send.
    public var body: Body

    /// Further headers by name.
    public var headers: [String: String] = [:]
    /// The seconds until the next attempt, for a temporary refusal.
    public var retryAfter: Int?
    /// The permitted methods, for a refused method.
    public var allowed: [String] = []

    /// Creates a response. The status must be from 200 to 599.
    public init(status: Int = 200, type: String = "application/json", _ body: Body) {
        precondition((200...599).contains(status), "\(status) is not an HTTP status of a response")
        self.status = status
        self.type = type
        self.body = body
    }
}
