package import Household

/// An endpoint of the API. The static members are the table of all: a ``ControlRoute`` answers each, and clients make
/// their requests from it.
package struct Endpoint: Hashable, Sendable {
    package enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
        case delete = "DELETE"
    }

    package let method: Method
    /// The path with the names of its values in braces, such as `/v1/peers/{peer}`.
    package let path: String
    package let summary: String
    /// True if the route reads the request body as a stream.
    package let takesUpload: Bool
    private let parts: [Part]

    private enum Part: Hashable, Sendable {
        case word(String)
        case value(String)
    }

    package static let all =
        aboutDaemon + aboutMachines + aboutTransfers + aboutGames + aboutVersions + aboutBridges + aboutPage

    init(_ method: Method, _ path: String, _ summary: String, takingUploads takesUpload: Bool = false) {
        self.method = method
        self.path = path
        self.summary = summary
        self.takesUpload = takesUpload
        parts = path.split(separator: "/").map { part in
            part.hasPrefix("{") ? .value(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// Returns the values of the names in braces; nil if the path does not match.
    func values(for path: [String]) -> [String: String]? {
        guard path.count == parts.count else { return nil }
        var values: [String: String] = [:]
        for (part, text) in zip(parts, path) {
            switch part {
            case .word(let word): guard word == text else { return nil }
            case .value(let name): values[name] = text
            }
        }
        return values
    }

    /// Returns a request.
    ///
    /// - Parameter values: one value for each name in braces, in the order of the path
    package func request(_ values: String..., query: [String: String] = [:]) -> APIRequest {
        APIRequest(method.rawValue, path(with: values), query: query)
    }

    /// Returns a request with a JSON body.
    package func request(_ values: String..., saying body: some JSONShape) -> APIRequest {
        APIRequest(method.rawValue, path(with: values), body: Array(body.fields.line.utf8))
    }

    /// Returns the parts of the path with these values in place of the names in braces.
    func path(with values: [String]) -> [String] {
        var left = values[...]
        let path = parts.map { part in
            switch part {
            case .word(let word): word
            case .value(let name): left.popFirst() ?? name
            }
        }
        precondition(left.isEmpty && self.values(for: path)?.count == values.count, "\(self) has one value a name")
        return path
    }
}

extension Endpoint: CustomStringConvertible {
    package var description: String { "\(method.rawValue) \(path)" }
}
