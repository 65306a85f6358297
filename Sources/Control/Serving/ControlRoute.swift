import LinuxPlatform
package import Household
import SecureArchive
import Vocabulary

/// The part of the daemon that answers the requests to one endpoint.
package struct ControlRoute: Sendable {
    package typealias Handler = @Engine @Sendable (RouteCall) async throws -> RouteAnswer

    let endpoint: Endpoint
    let answer: Handler

    package init(_ endpoint: Endpoint, _ answer: @escaping Handler) {
        self.endpoint = endpoint
        self.answer = answer
    }
}

/// A request with the values that its route takes from the path.
package struct RouteCall: Sendable {
    /// The values of the names in braces.
    package let values: [String: String]
    package let query: [String: String]
    /// The request body as a stream.
    let upload: APIRequest.Upload?
    private let bytes: [UInt8]

    init(_ values: [String: String], _ request: APIRequest) {
        self.values = values
        upload = request.upload
        query = request.query
        bytes = request.body
    }

    /// Reads the JSON body. Refuses keys other than these.
    package func fields(_ known: String...) throws -> JSONFields { try fields(known) }

    /// Reads the JSON body, which may be missing. Refuses keys other than these.
    package func fields(_ known: [String]) throws -> JSONFields {
        let fields = try Self.asked { try JSONFields(bytes.isEmpty ? Array("{}".utf8) : bytes) }
        guard let unknown = fields.keys.first(where: { !known.contains($0) }) else { return fields }
        let nearest = NearestName.of(unknown, in: known).map { "; did you mean “\($0)”?" } ?? ""
        throw HouseholdError.badRequest("the body has no “\(PrintableText(unknown, limit: 80))”\(nearest)")
    }

    /// Runs a parser of the body. Its errors become those of a bad request.
    package static func asked<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as ArchiveError {
            throw HouseholdError.badRequest("the body can't be read: \(error.message)")
        }
    }
}

/// The response of a route.
package enum RouteAnswer: Sendable {
    /// Sends one more event. Waits while the reader has too much to read.
    package typealias Tell = @Sendable (any JSONShape) async throws -> Void

    /// All lines at once, one object a line.
    case lines([any JSONShape])
    /// The lines of running work. The work is cancelled when the client disconnects. Its error is sent as a line.
    case follow(@Engine @Sendable (_ tell: @escaping Tell) async throws -> Void)
    /// A response in a format other than JSON.
    case text(String, type: String)
    /// Raw bytes as a stream.
    case bytes(APIResponse.Source)
}

extension RouteAnswer {
    /// - Parameter worked: called while the requested work runs, and after its end
    @Engine
    func response(worked: @escaping @Engine @Sendable () -> Void) -> APIResponse {
        switch self {
        case .lines(let shapes):
            let text = shapes.map { "\($0.fields.line)\n" }.joined()
            return APIResponse(.bytes(Array(text.utf8)))
        case .follow(let work):
            let lines = ResponseStream(work, worked: worked)
            return APIResponse(.stream { try await lines.next() })
        case .bytes(let source): return APIResponse(type: "application/octet-stream", .stream(source))
        case .text(let text, let type): return APIResponse(type: type, .bytes(Array(text.utf8)))
        }
    }
}
