import ControlServer
import Household
import LinuxPlatform
import Session
import Synchronization
import TestSupport
import Testing

@testable import Control

@Engine
@Suite("Requests over a socket", .timeLimit(.minutes(5)))
struct ConnectionTests {
    private let folder = TemporaryFolder()
    private var path: String { folder.path(of: "control") }

    private func served(
        _ handler: @escaping ControlServer.Handler,
        _ work: (ControlConnection) async throws -> Void
    ) async throws {
        try await ServedControl(path: path, handler: handler).during(work)
    }

    private func all(_ response: APIResponse) async throws -> [UInt8] {
        guard case .stream(let source) = response.body else { return [] }
        var bytes: [UInt8] = []
        while let more = try await source() { bytes += more }
        return bytes
    }

    @Test("A request arrives unchanged, with any characters")
    func echo() async throws {
        let names = ["v1", "living room/?&#%\u{E9}", "x\r\nHost: y"]
        try await served { request in
            let said =
                [request.method, request.path.joined(separator: "|")] + request.query.map { "\($0.key)=\($0.value)" }
            return ControlResponse(
                status: 201,
                type: "text/plain",
                .bytes(Array(said.joined(separator: " ").utf8) + request.body)
            )
        } _: { connection in
            // A slash in a name splits it, as in the server's library.
            let response = try await connection.ask(
                APIRequest(
                    "PUT",
                    [names[0], "living room?&#%\u{E9}", names[2]],
                    query: ["a&b": "c=d"],
                    body: [33]
                )
            )
            #expect(response.status == 201)
            #expect(response.type == "text/plain")
            let text = String(decoding: try await all(response), as: UTF8.self)
            #expect(text == "PUT v1|living room?&#%\u{E9}|x\r\nHost: y a&b=c=d!")
        }
    }

    @Test("A streamed response arrives piece by piece to its end")
    func chunks() async throws {
        let left = Mutex([[UInt8](repeating: 1, count: 100_000), [2], [UInt8](repeating: 3, count: 70_000)])
        try await served { _ in
            ControlResponse(.stream { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
        } _: { connection in
            let bytes = try await all(connection.ask(APIRequest("GET", ["x"])))
            #expect(bytes.count == 170_001)
            #expect(bytes[100_000] == 2)
        }
    }

    @Test(
        "A response that ends early, or is not from a daemon, is an error",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc", "control.broken-off"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nabc", "control.broken-off"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc", "control.garbled"),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\nabc", "control.garbled"),
            ("HTTP/1.1 200", "control.broken-off"),
            ("", "control.broken-off"),
            ("hello there\r\n\r\n", "control.garbled"),
        ]
    )
    func broken(answer: String, word: String) async throws {
        let (here, there) = BlockingSocket.pair()
        try there.send(Array(answer.utf8))
        there.end()
        let read = HTTPResponse(try StreamSocket(try here.nonBlocking(), on: .shared))
        do {
            try await read.readHead()
            while try await read.next() != nil {}
            Issue.record("it is taken for an answer")
        } catch {
            #expect(PassedOnError(error).word == word)
        }
    }

    @Test(
        "A refused connection reports the server's reason",
        arguments: [(413, "control.turned-away"), (503, "control.crowded")]
    )
    func turnedAway(status: Int, word: String) async throws {
        try await served { _ in
            ControlResponse(status: status, type: "text/plain; charset=utf-8", .bytes(Array("not\u{1B}[2J now\n".utf8)))
        } _: { connection in
            do {
                _ = try await connection.ask(APIRequest("GET", ["x"]))
                Issue.record("it is taken for an answer")
            } catch {
                #expect(PassedOnError(error).word == word)
                #expect("\(error)".contains("huddled refused the connection: not") && !"\(error)".contains("\u{1B}"))
            }
        }
    }

    @Test("A connection without a daemon is nil")
    func noDaemon() throws {
        #expect(ControlConnection(to: path) == nil)
        _ = try UnixSocket.listen(at: path)
        #expect(ControlConnection(to: path) == nil)
    }
}
