/// The response to a ``APIRequest``.
package struct APIResponse: Sendable {
    /// Returns whole lines since the last read; nil at the end.
    package typealias Source = @Sendable () async throws -> [UInt8]?

    package enum Body: Sendable {
        case bytes([UInt8])
        case stream(Source)
    }

    /// The type of a body of JSON, with one object a line.
    package static let lines = "application/x-ndjson"

    /// The HTTP status.
    package let status: Int
    package let type: String
    package let body: Body
    /// The methods of the endpoint, if it does not support the requested one.
    package var allowed: [String] = []

    package init(status: Int = 200, type: String = lines, _ body: Body) {
        self.status = status
        self.type = type
        self.body = body
    }
}
