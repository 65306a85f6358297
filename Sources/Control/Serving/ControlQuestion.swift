package import Household

/// Something that is asked.
package struct ControlQuestion: Sendable {
    package let method: String
    /// What stands between the slashes, unescaped.
    package let path: [String]
    package let query: [String: String]
    package let body: [UInt8]
    /// What is said as it comes, in place of a body; nil at its end. It is asked for more once what it gave was taken.
    package var upload: Upload?

    package typealias Upload = @Sendable () async throws -> [UInt8]?

    package init(_ method: String, _ path: [String], query: [String: String] = [:], body: [UInt8] = []) {
        self.method = method
        self.path = path
        self.query = query
        self.body = body
    }

    /// With something to say in JSON.
    package init(_ method: String, _ path: [String], saying body: some JSONShape) {
        self.init(method, path, body: Array(body.fields.line.utf8))
    }
}
