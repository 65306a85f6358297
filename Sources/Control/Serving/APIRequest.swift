/// A request to the API.
package struct APIRequest: Sendable {
    package let method: String
    /// The parts of the path, unescaped.
    package let path: [String]
    package let query: [String: String]
    package let body: [UInt8]
    /// A streamed body in place of `body`, which returns nil at its end. The next piece is requested after the previous
    /// one was sent.
    package var upload: Upload?

    package typealias Upload = @Sendable () async throws -> [UInt8]?

    package init(_ method: String, _ path: [String], query: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }
}
