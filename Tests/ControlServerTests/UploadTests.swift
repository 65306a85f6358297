import Glibc
import LinuxPlatform
import Synchronization
import TestSupport
import Testing

@testable import ControlServer

@Suite("Streamed request body", .timeLimit(.minutes(5)))
struct UploadTests {
    private let temporary = TemporaryFolder()
    private var path: String { temporary.path(of: "control") }
    private static let head = "PUT /up HTTP/1.1\r\nHost: h\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"

    private func serving(
        _ handler: @escaping ControlServer.Handler,
        _ body: (ControlServer) async throws -> Void
    ) async throws {
        let server = try ControlServer(at: path, uploads: { $0 == "PUT" && $1 == ["up"] }, handler)
        let running = Task { try await server.run() }
        do {
            try await body(server)
        } catch {
            Issue.record(error)
        }
        running.cancel()
        _ = await running.result
    }

    private func answer(on socket: StreamSocket) async throws -> String {
        var answer: [UInt8] = []
        while true {
            let bytes = (try? await socket.receive(upTo: 65_536)) ?? []
            if bytes.isEmpty { return String(decoding: answer, as: UTF8.self) }
            answer += bytes
        }
    }

    private static func chunk(_ count: Int) -> [UInt8] {
        Array("\(String(count, radix: 16))\r\n".utf8) + [UInt8](repeating: 120, count: count) + [13, 10]
    }

    /// Counts all bytes, and answers with the number.
    private static let counting: ControlServer.Handler = { request in
        var count = 0
        do {
            while let bytes = try await request.upload?() { count += bytes.count }
        } catch {
            return ControlResponse(status: 409, .bytes(Array("broken".utf8)))
        }
        return ControlResponse(.bytes(Array("\(count) bytes".utf8)))
    }

    @Test("A streamed body may exceed the limit, and is answered at its end", arguments: [0, 1, 12 << 20])
    func whole(count: Int) async throws {
        try await serving(Self.counting) { _ in
            let socket = try UnixSocket.connect(to: path, on: .shared)
            try await socket.send(Array(Self.head.utf8))
            var left = count
            while left > 0 {
                let some = min(left, 300_000)
                try await socket.send(Self.chunk(some))
                left -= some
            }
            try await socket.send(Array("0\r\n\r\n".utf8))
            let answer = try await answer(on: socket)
            #expect(answer.hasPrefix("HTTP/1.1 200") && answer.hasSuffix("\r\n\(count) bytes"), "\(answer)")
        }
    }

    @Test("A streamed body waits without a reader, and continues with one")
    func waits() async throws {
        let mayTake = Resumption<Void>()
        try await serving({ request in
            if request.upload != nil { try? await mayTake.value() }
            return await Self.counting(request)
        }) { server in
            let socket = try UnixSocket.connect(to: path, on: .shared)
            let sent = Mutex(0)
            let sending = Task {
                try await socket.send(Array(Self.head.utf8))
                for _ in 0..<100 {
                    try await socket.send(Self.chunk(100_000))
                    sent.withLock { $0 += 100_000 }
                }
                try await socket.send(Array("0\r\n\r\n".utf8))
            }
            while await server.waitingUploadBytes < Upload.limit { try await othersTurn() }
            // Other requests are answered meanwhile.
            let other = try UnixSocket.connect(to: path, on: .shared)
            try await other.send(Array("GET / HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n".utf8))
            #expect(await server.waitingUploadBytes <= Upload.limit + ControlLimits().headBytes)
            // The kernel buffers some bytes between the two; no further ones are sent.
            #expect(sent.withLock { $0 } < 5_000_000)
            mayTake.resume(with: .success(()))
            try await sending.value
            #expect(try await answer(on: socket).hasSuffix("\r\n10000000 bytes"))
            #expect(try await answer(on: other).hasSuffix("\r\n0 bytes"))
        }
    }

    @Test("An aborted body differs from a complete one", arguments: [false, true])
    func broken(isFull: Bool) async throws {
        let (begun, outcome) = (Resumption<Void>(), Resumption<Bool>())
        let mayTake = Resumption<Void>()
        try await serving({ request in
            begun.resume(with: .success(()))
            do {
                if isFull { try await mayTake.value() }
                while try await request.upload?() != nil {}
                outcome.resume(with: .success(true))
            } catch {
                outcome.resume(with: .success(false))
            }
            return ControlResponse(.bytes([]))
        }) { server in
            do {
                let socket = try UnixSocket.connect(to: path, on: .shared)
                try await socket.send(Array(Self.head.utf8))
                try await socket.send(Self.chunk(isFull ? 300_000 : 10))
                try await begun.value()
                while isFull, await server.waitingUploadBytes < Upload.limit { try await othersTurn() }
            }
            mayTake.resume(with: .success(()))
            #expect(try await outcome.value() == false)
            while await server.exchangeCount > 0 { try await othersTurn() }
        }
    }

    @Test("A body without a reader is not read to its end")
    func unwanted() async throws {
        try await serving({ _ in ControlResponse(status: 404, .bytes([])) }) { server in
            let socket = try UnixSocket.connect(to: path, on: .shared)
            try await socket.send(Array(Self.head.utf8))
            while (try? await socket.send(Self.chunk(100_000))) != nil {}
            // A little is skipped, then the response follows.
            let short = try UnixSocket.connect(to: path, on: .shared)
            try await short.send(Array(Self.head.utf8) + Self.chunk(2) + Array("0\r\n\r\n".utf8))
            #expect(try await answer(on: short).hasPrefix("HTTP/1.1 404"))
            while await server.exchangeCount > 0 { try await othersTurn() }
        }
    }

    @Test("An aborted response differs from a complete one")
    func brokenAnswer() async throws {
        let left = Mutex([Array("one".utf8)])
        try await serving({ _ in
            ControlResponse(
                .stream {
                    guard let next = left.withLock({ $0.popLast() }) else { throw CancellationError() }
                    return next
                }
            )
        }) { _ in
            let socket = try UnixSocket.connect(to: path, on: .shared)
            try await socket.send(Array("GET / HTTP/1.1\r\nHost: h\r\n\r\n".utf8))
            let answer = try await answer(on: socket)
            #expect(answer.contains("3\r\none\r\n") && !answer.hasSuffix("0\r\n\r\n"), "\(answer)")
        }
    }
}
