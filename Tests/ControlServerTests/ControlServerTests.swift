import Glibc
import LinuxPlatform
import Synchronization
import TestSupport
import Testing

@testable import ControlServer

@Suite("Control server", .timeLimit(.minutes(5)))
struct ControlServerTests {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path(of: "control") }

    /// Runs a server during `body`.
    private func serving(
        _ handler: @escaping ControlServer.Handler,
        limits: ControlLimits = ControlLimits(),
        _ body: (ControlServer) async throws -> Void
    ) async throws {
        let server = try ControlServer(at: path, limits: limits, handler)
        let running = Task { try await server.run() }
        do {
            try await body(server)
        } catch {
            Issue.record(error)
        }
        running.cancel()
        _ = await running.result
    }

    /// Sends bytes and returns everything until the other side closes.
    private func exchange(_ text: String) async throws -> String {
        let socket = try UnixSocket.connect(to: path, on: .shared)
        try await socket.send(Array(text.utf8))
        var answer: [UInt8] = []
        while true {
            let bytes = (try? await socket.receive(upTo: 65_536)) ?? []
            if bytes.isEmpty { return String(decoding: answer, as: UTF8.self) }
            answer += bytes
        }
    }

    private func get(_ target: String, _ method: String = "GET", body: String = "") async throws -> String {
        let length = body.isEmpty ? "" : "Content-Length: \(body.utf8.count)\r\n"
        return try await exchange(
            "\(method) \(target) HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(length)\r\n\(body)"
        )
    }

    fileprivate static let echo: ControlServer.Handler = { request in
        let query = request.query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        let line = [request.method, request.path.joined(separator: "|"), query.joined(separator: "&")]
        return ControlResponse(.bytes(Array(line.joined(separator: " ").utf8) + request.body))
    }

    @Test("The socket is private to its owner, whatever the umask is")
    func isPrivate() throws {
        let old = umask(0)
        let socket = try ControlSocket(at: path)
        umask(old)
        var facts = stat()
        #expect(lstat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
        withExtendedLifetime(socket) {}
    }

    @Test("A socket in use is refused, an abandoned one is replaced, and the own one is removed at the end")
    func oneAtATime() throws {
        do {
            let first = try ControlSocket(at: path)
            #expect(throws: ControlServerError.self) { try ControlSocket(at: path) }
            withExtendedLifetime(first) {}
        }
        #expect(access(path, F_OK) != 0)
        // Bound and closed, as by a killed program.
        _ = try UnixSocket.listen(at: path)
        #expect(throws: Never.self) { try ControlSocket(at: path) }
    }

    @Test("A request arrives with its path, query and body")
    func answers() async throws {
        try await serving(Self.echo) { _ in
            let answer = try await get("/v1/peers/living%20room?wait=3&all=", "POST", body: #"{"a":1}"#)
            #expect(answer.hasPrefix("HTTP/1.1 200 OK\r\n"), "\(answer)")
            #expect(answer.hasSuffix(#"POST v1|peers|living room all=&wait=3{"a":1}"#), "\(answer)")
            #expect(answer.contains("Content-Type: application/json\r\n"))
        }
    }

    @Test("Requests on one connection are answered in order")
    func keepsAlive() async throws {
        try await serving(Self.echo) { _ in
            let two = "GET /1 HTTP/1.1\r\nHost: h\r\n\r\nGET /2 HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n"
            let answer = try await exchange(two)
            #expect(answer.contains("GET 1 ") && answer.hasSuffix("GET 2 "), "\(answer)")
        }
    }

    @Test("A streamed response arrives piece by piece to its end")
    func streams() async throws {
        let left = Mutex([Array("one\n".utf8), Array("two\n".utf8), [UInt8](repeating: 120, count: 100_000)])
        try await serving({ _ in
            ControlResponse(.stream { left.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
        }) { _ in
            let answer = try await get("/v1/events")
            #expect(answer.contains("Transfer-Encoding: chunked") && answer.contains("one\n\r\n4\r\ntwo\n"))
            #expect(answer.filter { $0 == "x" }.count == 100_000)
            #expect(answer.hasSuffix("0\r\n\r\n"))
        }
    }

    @Test("The handler of a disconnected caller is cancelled", arguments: [false, true])
    func abandoned(isStream: Bool) async throws {
        let begun = Resumption<Void>()
        let cancelled = Resumption<Void>()
        let never: @Sendable () async -> Void = {
            begun.resume(with: .success(()))
            try? await Resumption<Void>().valueUnlessCancelled()
            cancelled.resume(with: .success(()))
        }
        try await serving({ _ in
            guard isStream else {
                await never()
                return ControlResponse(.bytes([]))
            }
            return ControlResponse(
                .stream {
                    await never()
                    return nil
                }
            )
        }) { server in
            do {
                let socket = try UnixSocket.connect(to: path, on: .shared)
                try await socket.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
                try await begun.value()
            }
            try await cancelled.value()
            while await server.exchangeCount > 0 { try await othersTurn() }
        }
    }

    @Test("Invalid, long and foreign requests are refused, and others are answered meanwhile")
    func refuses() async throws {
        var limits = ControlLimits()
        limits.bodyBytes = 1000
        try await serving(Self.echo, limits: limits) { _ in
            // An incomplete request on an open connection.
            let half = try UnixSocket.connect(to: path, on: .shared)
            try await half.send(Array("POST /v1 HTTP/1.1\r\nContent-Le".utf8))
            #expect(try await get("/", "POST", body: String(repeating: "x", count: 1001)).hasPrefix("HTTP/1.1 413"))
            #expect(try await get("/", "POST", body: String(repeating: "x", count: 1000)).hasPrefix("HTTP/1.1 200"))
            let chunk = "400\r\n\(String(repeating: "x", count: 0x400))\r\n"
            let head = "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n"
            #expect(try await !exchange("\(head)\(chunk)\(chunk)0\r\n\r\n").contains("200 OK"))
            #expect(try await !exchange("\u{16}\u{3}\u{1}\u{2}\r\n\r\n").contains("200 OK"))
            #expect(try await !get("/" + String(repeating: "a", count: 40_000)).contains("200 OK"))
            #expect(try await get("/%FF%FE").hasPrefix("HTTP/1.1 400"))
            #expect(try await get("/still/here").hasSuffix("GET still|here "))
            withExtendedLifetime(half) {}
        }
    }

    @Test(
        "Another user is refused, even if the file's mode permits access",
        .enabled("needs root") { geteuid() == 0 }
    )
    func otherUser() async throws {
        await #expect(processExitsWith: .success) {
            let temporary = TemporaryFolder()
            chmod(temporary.path, 0o755)
            let path = temporary.path(of: "control")
            let server = try ControlServer(at: path, ControlServerTests.echo)
            chmod(path, 0o666)
            let running = Task { try await server.run() }
            seteuid(65_534)
            let socket = try UnixSocket.connect(to: path, on: .shared)
            try await socket.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            let answer = String(decoding: try await socket.receive(upTo: 4096), as: UTF8.self)
            seteuid(0)
            running.cancel()
            exit(answer.hasPrefix("HTTP/1.1 403") ? 0 : 3)
        }
    }

    @Test("A thousand idle connections leave room for later ones")
    func crowd() async throws {
        try await serving(Self.echo) { server in
            var crowd: [StreamSocket] = []
            for _ in 0..<1000 { crowd.append(try UnixSocket.connect(to: path, on: .shared)) }
            #expect(try await get("/after").hasSuffix("GET after "))
            #expect(await server.connectionCount <= 64)
            withExtendedLifetime(crowd) {}
        }
    }

    @Test("The longest silent connection is closed, even within a request, and one with a running request stays")
    func makesRoom() async throws {
        var limits = ControlLimits()
        limits.connections = 3
        let (begun, mayEnd) = (Resumption<Void>(), Resumption<Void>())
        try await serving(
            { request in
                guard request.path == ["held"] else { return await Self.echo(request) }
                begun.resume(with: .success(()))
                try? await mayEnd.value()
                return ControlResponse(.bytes(Array("held on".utf8)))
            },
            limits: limits
        ) { _ in
            async let held = get("/held")
            try await begun.value()
            let half = try UnixSocket.connect(to: path, on: .shared)
            try await half.send(Array("POST /half HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf".utf8))
            let silent = try UnixSocket.connect(to: path, on: .shared)
            #expect(try await get("/first").hasSuffix("GET first "))
            #expect(try await silent.receive(upTo: 1).isEmpty)
            let another = try UnixSocket.connect(to: path, on: .shared)
            try await another.send(Array("POST /half HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\n\r\nhalf".utf8))
            #expect(try await get("/second").hasSuffix("GET second "))
            #expect((try? await half.receive(upTo: 1))?.isEmpty ?? true)
            mayEnd.resume(with: .success(()))
            #expect(try await held.hasSuffix("held on"))
            withExtendedLifetime(another) {}
        }
    }

    @Test(
        "Bodies that are too large together are refused temporarily, however they are announced",
        arguments: [false, true]
    )
    func together(isChunked: Bool) async throws {
        var limits = ControlLimits()
        limits.bodyBytes = 1000
        limits.bodyBytesTogether = 1500
        let (begun, mayEnd) = (Resumption<Void>(), Resumption<Void>())
        try await serving(
            { request in
                guard request.path == ["held"] else { return await Self.echo(request) }
                begun.resume(with: .success(()))
                try? await mayEnd.value()
                return ControlResponse(.bytes([]))
            },
            limits: limits
        ) { server in
            let body = String(repeating: "x", count: 1000)
            async let held = get("/held", "POST", body: body)
            try await begun.value()
            let chunks = "Transfer-Encoding: chunked\r\n\r\n3e8\r\n\(body)\r\n0\r\n\r\n"
            let more = "POST /more HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\(chunks)"
            let refused = isChunked ? try await exchange(more) : try await get("/more", "POST", body: body)
            #expect(refused.hasPrefix("HTTP/1.1 503"), "\(refused)")
            #expect(refused.contains("Retry-After: 1\r\n"))
            #expect(try await get("/few", "POST", body: String(body.prefix(500))).hasPrefix("HTTP/1.1 200"))
            mayEnd.resume(with: .success(()))
            #expect(try await held.hasPrefix("HTTP/1.1 200"))
            while await server.exchangeCount > 0 { try await othersTurn() }
            let again = isChunked ? try await exchange(more) : try await get("/more", "POST", body: body)
            #expect(again.hasPrefix("HTTP/1.1 200"), "\(again)")
        }
    }
}
