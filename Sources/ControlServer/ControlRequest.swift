/// One HTTP request, with its complete body or with a streamed body.
public struct ControlRequest: Sendable {
    /// Waits for the next bytes of a body; nil at its end. While the handler does not read, the sender must wait.
    ///
    /// - Throws: `CancellationError` if the caller disconnected before the end
    public typealias Upload = @Sendable () async throws -> [UInt8]?

    /// The method, such as `GET` or `POST`.
    public let method: String
    /// The parts of the path, unescaped: `/v1/peers/deck` has three.
    public let path: [String]
    /// The items of the query. If a name occurs twice, the first value counts.
    public let query: [String: String]
    /// The body, at most ``ControlLimits/bodyBytes``.
    public let body: [UInt8]
    /// The body as a stream. ``body`` is then empty.
    public var upload: Upload?
    /// The headers by their lower-case names.
    public let headers: [String: String]

    /// Creates a request for tests of handlers.
    public init(
        _ method: String,
        _ path: [String],
        query: [String: String] = [:],
        body: [UInt8] = [],
        headers: [String: String] = [:]
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
        self.headers = headers
    }
}
