import ControlServer
import Household
import LinuxPlatform
import TestSupport
import Testing

@testable import Control

@Engine
@Suite("Table of the endpoints", .timeLimit(.minutes(5)))
struct EndpointTests {
    @Test("The table has each method and path once")
    func unique() {
        #expect(Set(Endpoint.all.map(\.description)).count == Endpoint.all.count)
    }

    @Test("Each endpoint has one route in a daemon, and each route is of the table")
    func routes() async throws {
        let routes = try await AskedHousehold().control.routes.map(\.endpoint)
        #expect(routes.map(\.description).sorted() == Endpoint.all.map(\.description).sorted())
        #expect(Set(routes) == Set(Endpoint.all))
    }

    @Test("A path matches the pattern of its endpoint, and gives the values in braces")
    func patterns() {
        #expect(Endpoint.setPolicy.values(for: ["v1", "peers", "living room", "policy"]) == ["peer": "living room"])
        #expect(Endpoint.setPolicy.values(for: ["v1", "peers", "deck"]) == nil)
        #expect(Endpoint.setPolicy.values(for: ["v2", "peers", "deck", "policy"]) == nil)
        #expect(Endpoint.setPolicy.values(for: []) == nil)
    }

    @Test("A request fills the braces in order, and has its query or its body")
    func request() {
        let version = Endpoint.versionFile.request("celeste", "12", query: ["path": "0.celeste"])
        #expect(version.method == "GET" && version.path == ["v1", "saves", "celeste", "versions", "12", "file"])
        #expect(version.query == ["path": "0.celeste"] && version.body.isEmpty)
        var body = JSONFields()
        body.set("policy", "ask")
        let policy = Endpoint.setPolicy.request("Deck", saying: body)
        #expect(policy.method == "PUT" && policy.path == ["v1", "peers", "Deck", "policy"])
        #expect(policy.query.isEmpty && String(decoding: policy.body, as: UTF8.self) == #"{"policy":"ask"}"#)
    }

    @Test("A request with another number of values than its endpoint has is a mistake of the program")
    func wrongCount() async {
        await #expect(processExitsWith: .failure) { _ = Endpoint.setPolicy.request() }
        await #expect(processExitsWith: .failure) { _ = Endpoint.setPolicy.request("deck", "desk") }
    }

    /// Values that the path of a request could confuse with its own words or its own form.
    private static let values = ["next", "a/b", "50%", "%2F", "..", "{set}", "東京 é\u{301}", "?&#", "x\r\nHost: y"]

    @Test("Only its endpoint matches a request, and gets the values that the client filled in")
    func matches() {
        for endpoint in Endpoint.all {
            for value in Self.values {
                let (path, filled) = Self.filled(endpoint, with: value)
                let there = Endpoint.all.filter { $0.method == endpoint.method && $0.values(for: path) != nil }
                #expect(there == [endpoint])
                #expect(endpoint.values(for: path).map { Set($0.values) } == Set(filled))
            }
        }
    }

    @Test("A request over the socket reaches the route of its endpoint with the same values")
    func served() async throws {
        let folder = TemporaryFolder()
        let path = folder.path(of: "control")
        try await ServedControl(path: path) { request in
            let endpoint = Endpoint.all.first {
                $0.method.rawValue == request.method && $0.values(for: request.path) != nil
            }
            guard let endpoint, let values = endpoint.values(for: request.path) else {
                return .refusal(404, "no endpoint")
            }
            return ControlResponse(.bytes(Array("\(endpoint) \(values.values.sorted())".utf8)))
        }.during { connection in
            // A slash in a value splits it, as in the server's library.
            for (endpoint, value) in Endpoint.all.flatMap({ endpoint in
                Self.values.filter { !$0.contains("/") }.map { (endpoint, $0) }
            }) {
                let (path, filled) = Self.filled(endpoint, with: value)
                let response = try await connection.ask(APIRequest(endpoint.method.rawValue, path))
                guard case .stream(let source) = response.body else { throw CancellationError() }
                var bytes: [UInt8] = []
                while let more = try await source() { bytes += more }
                #expect(String(decoding: bytes, as: UTF8.self) == "\(endpoint) \(filled.sorted())")
            }
        }
    }

    /// The path of an endpoint with a value of its own for each name in braces, and these values.
    private static func filled(_ endpoint: Endpoint, with value: String) -> (path: [String], values: [String]) {
        let count = endpoint.path.count { $0 == "{" }
        let values = (0..<count).map { $0 == 0 ? value : "\(value)\($0)" }
        return (endpoint.path(with: values), values)
    }
}
