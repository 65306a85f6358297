/// What is answered to a ``ControlQuestion``.
package struct ControlReply: Sendable {
    /// What has come since it was asked last, whole lines; nil at the end.
    package typealias Source = @Sendable () async throws -> [UInt8]?

    package enum Body: Sendable {
        case bytes([UInt8])
        case stream(Source)
    }

    /// JSON, one object a line.
    package static let lines = "application/x-ndjson"

    /// As HTTP numbers them.
    package let status: Int
    package let type: String
    package let body: Body
    /// The methods that can be used there, where the one that was used can't.
    package var allowed: [String] = []

    package init(status: Int = 200, type: String = lines, _ body: Body) {
        self.status = status
        self.type = type
        self.body = body
    }
}
