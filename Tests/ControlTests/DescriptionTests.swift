import LinuxPlatform
import Household
import SaveRules
import SecureArchive
import Session
import Testing
import Vocabulary
import Workbench

@testable import Control

@Engine
@Suite("docs/openapi.json", .timeLimit(.minutes(5)))
struct DescriptionTests {
    private func description() throws -> JSONFields {
        try JSONFields(Array(Repository.text(of: "docs/openapi.json").utf8))
    }

    @Test("The description has every endpoint and no other, with the same summaries")
    func endpoints() throws {
        let paths = try #require(try description().object("paths"))
        var described: Set<String> = []
        for path in paths.keys {
            let methods = try #require(try paths.object(path))
            for method in methods.keys {
                let summary = try methods.object(method)?.text("summary") ?? ""
                described.insert("\(method.uppercased()) \(path): \(summary)")
            }
        }
        #expect(described == Set(Endpoint.all.map { "\($0): \($0.summary)" }))
    }

    @Test("The description requires a body exactly for the endpoints that need one")
    func bodies() throws {
        let paths = try #require(try description().object("paths"))
        for path in paths.keys {
            let methods = try #require(try paths.object(path))
            for method in methods.keys {
                guard let body = try methods.object(method)?.object("requestBody") else { continue }
                let schema = try body.object("content")?.object("application/json")?.object("schema")
                let needed = try schema?.texts("required") ?? []
                #expect(try body.flag("required") == !needed.isEmpty, "\(method) \(path)")
            }
        }
    }

    @Test(
        "The description has the schema of each event, with its keys and the required ones",
        arguments: try EventLines()
    )
    func events(_ lines: EventLines.Pair) throws {
        let schemas = try #require(try description().object("components")?.object("schemas"))
        let keys = try (least: JSONFields(Array(lines.least.utf8)).keys, full: JSONFields(Array(lines.full.utf8)).keys)
        let fitting = try schemas.keys.filter { name in
            guard let schema = try schemas.object(name), let properties = try schema.object("properties") else {
                return false
            }
            return try Self.names(in: schema).contains(lines.event) && properties.keys == keys.full
                && schema.texts("required")?.sorted() == keys.least
        }
        #expect(fitting.count == 1, "\(lines.event): \(fitting)")
    }

    @Test("The description has a schema for each name of an event, and for no other")
    func names() throws {
        let schemas = try #require(try description().object("components")?.object("schemas"))
        let described = try schemas.keys.flatMap { try schemas.object($0).map(Self.names) ?? [] }
        #expect(Set(described) == Set(DaemonEvent.names + ["blocked"]))
    }

    /// The values of `event` in a schema. An entry of the log has any; `blocked` is the example.
    private static func names(in schema: JSONFields) throws -> [String] {
        guard let event = try schema.object("properties")?.object("event") else { return [] }
        if let name = try event.text("const") { return [name] }
        return try event.texts("enum") ?? ["blocked"]
    }

    @Test("Each endpoint is in docs/control-api.md")
    func words() throws {
        let page = try Repository.text(of: "docs/control-api.md")
        for endpoint in Endpoint.all {
            let end = endpoint == .log ? "?" : "`"
            #expect(page.contains("`\(endpoint)\(end)"), "\(endpoint)")
        }
    }
}
