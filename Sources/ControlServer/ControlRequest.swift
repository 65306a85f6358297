/// What a program of this machine asks for: one HTTP request, read whole, or with its body as it comes.
public struct ControlRequest: Sendable {
    /// Gives the next bytes of a body, waiting for them; nil once all of it has come. While nobody asks, who sends has to wait.
    ///
    /// - Throws: `CancellationError` where the caller went away in the middle, so that the end is missing
    public typealias Upload = @Sendable () async throws -> [UInt8]?

    /// `GET`, `POST` and the like.
    public let method: String
    /// What stands between the slashes, unescaped: `/v1/peers/deck` is three.
    public let path: [String]
    /// What follows the question mark. Of a name that comes twice, the first counts.
    public let query: [String: String]
    /// At most ``ControlLimits/bodyBytes``.
    public let body: [UInt8]
    /// The body of a request that is answered while it comes; then ``body`` is empty.
    public var upload: Upload?
    /// The headers by name, in lower case.
    public let headers: [String: String]

    /// For those who try out what answers requests.
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
