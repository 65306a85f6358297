import LinuxPlatform
package import Household
import SecureArchive
import Vocabulary

/// One thing that can be asked.
package struct ControlRoute: Sendable {
    package typealias Handler = @Engine @Sendable (RouteCall) async throws -> RouteAnswer

    /// `GET`, `POST`, `PUT` or `DELETE`.
    package let method: String
    /// Such as `/v1/peers/{peer}`.
    package let pattern: String
    /// What it is for, in a few words.
    package let summary: String
    /// Whether it takes what is said as it comes.
    let takesUpload: Bool
    let answer: Handler
    private let parts: [Part]

    private enum Part: Sendable {
        case word(String)
        case value(String)
    }

    package init(
        _ method: String,
        _ pattern: String,
        _ summary: String,
        takingUploads takesUpload: Bool = false,
        _ answer: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.summary = summary
        self.takesUpload = takesUpload
        self.answer = answer
        parts = pattern.split(separator: "/").map { part in
            part.hasPrefix("{") ? .value(String(part.dropFirst().dropLast())) : .word(String(part))
        }
    }

    /// What stands in a path in place of the names in braces; nil where the path is another's.
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
}

/// A question as the route sees it.
package struct RouteCall: Sendable {
    /// What stands in the path, by the names in the pattern's braces.
    package let values: [String: String]
    package let query: [String: String]
    /// What is said as it comes.
    let upload: ControlQuestion.Upload?
    private let bytes: [UInt8]

    init(_ values: [String: String], _ question: ControlQuestion) {
        self.values = values
        upload = question.upload
        query = question.query
        bytes = question.body
    }

    /// What is said in the body, of which only these keys are understood.
    package func fields(_ known: String...) throws -> JSONFields { try fields(known) }

    /// What is said in the body, of which only these keys are understood. Who has nothing to say may leave it out.
    package func fields(_ known: [String]) throws -> JSONFields {
        let fields = try Self.asked { try JSONFields(bytes.isEmpty ? Array("{}".utf8) : bytes) }
        guard let unknown = fields.keys.first(where: { !known.contains($0) }) else { return fields }
        let nearest = NearestName.of(unknown, in: known).map { "; did you mean “\($0)”?" } ?? ""
        throw HouseholdError.badRequest("the body has no “\(PrintableText(unknown, limit: 80))”\(nearest)")
    }

    /// What can't be read in the body is the asker's mistake.
    package static func asked<Value>(_ read: () throws -> Value) throws -> Value {
        do {
            return try read()
        } catch let error as ArchiveError {
            throw HouseholdError.badRequest("the body can't be read: \(error.message)")
        }
    }
}

/// What a route answers.
package enum RouteAnswer: Sendable {
    /// Says one more thing, once the one before has been taken.
    package typealias Tell = @Sendable (any JSONShape) async throws -> Void

    /// All at once, one object a line.
    case lines([any JSONShape])
    /// As it happens. The work is cancelled when the one who asked goes away; what it throws is told.
    case follow(@Engine @Sendable (_ tell: @escaping Tell) async throws -> Void)
    /// Something else than JSON.
    case text(String, type: String)
    /// Bytes that mean nothing here, as they come.
    case bytes(ControlReply.Source)
}

extension RouteAnswer {
    /// - Parameter worked: what is called while what is asked for is done, and once it has ended
    @Engine
    func reply(worked: @escaping @Engine @Sendable () -> Void) -> ControlReply {
        switch self {
        case .lines(let shapes):
            let text = shapes.map { "\($0.fields.line)\n" }.joined()
            return ControlReply(.bytes(Array(text.utf8)))
        case .follow(let work):
            let lines = FollowedWork(work, worked: worked)
            return ControlReply(.stream { try await lines.next() })
        case .bytes(let source): return ControlReply(type: "application/octet-stream", .stream(source))
        case .text(let text, let type): return ControlReply(type: type, .bytes(Array(text.utf8)))
        }
    }
}
