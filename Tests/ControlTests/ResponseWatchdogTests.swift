import ControlServer
import Household
import LinuxPlatform
import Session
import TestSupport
import Testing

@testable import Control

@Engine
@Suite("Watch of a slow daemon", .timeLimit(.minutes(5)))
struct ResponseWatchdogTests {
    private let folder = TemporaryFolder()
    private let said = Probe<[String]>([])
    private var path: String { folder.path(of: "control") }

    /// Short times, except for the limit, which must be long on a busy machine.
    private func watchdog(first: Duration = .milliseconds(20), last: Duration = .seconds(60)) -> ResponseWatchdog {
        let said = said
        var watchdog = ResponseWatchdog { said.record($0) }
        (watchdog.first, watchdog.word, watchdog.pause) = (first, .milliseconds(20), .milliseconds(20))
        watchdog.last = last
        return watchdog
    }

    private func served(
        first: Duration = .milliseconds(20),
        _ handler: @escaping ControlServer.Handler,
        _ work: (ControlConnection) async throws -> Void
    ) async throws {
        try await ServedControl(path: path, watchdog: watchdog(first: first), handler: handler).during(work)
    }

    private func word(of request: APIRequest, at connection: ControlConnection) async -> String? {
        do {
            _ = try await connection.ask(request)
            return nil
        } catch {
            return PassedOnError(error).word
        }
    }

    @Test("A daemon that reads no request is not awaited, whatever the request", arguments: ["GET", "POST"])
    func silent(method: String) async throws {
        let listening = try UnixSocket.listen(at: path)
        let connection = try #require(ControlConnection(to: path, watchdog(last: .milliseconds(40))))
        #expect(await word(of: APIRequest(method, ["v1", "status"]), at: connection) == "control.silent")
        #expect(said.value.count == 1 && said.value[0].contains("has not answered for"))
        withExtendedLifetime(listening) {}
    }

    @Test("A daemon that works is awaited if it answers the probe")
    func busy() async throws {
        let proofs = Probe(0)
        try await served { request in
            if request.path == ResponseWatchdog.proof.path {
                proofs.count()
            } else {
                _ = try? await proofs.wait { $0 >= 3 }
            }
            return ControlResponse(.bytes([]))
        } _: { connection in
            let response = try await connection.ask(Endpoint.scanGame.request("x"))
            #expect(response.status == 200 && proofs.value >= 3)
        }
    }

    @Test("A daemon that delays a reading request is awaited with repeated messages")
    func slow() async throws {
        let said = said
        try await served { request in
            if request.path != ResponseWatchdog.proof.path { _ = try? await said.wait { $0.count >= 2 } }
            return ControlResponse(.bytes([]))
        } _: { connection in
            #expect(await word(of: Endpoint.status.request(), at: connection) == nil)
        }
        #expect(
            said.value.count >= 2 && said.value.allSatisfy { $0.contains("runs, but has not answered this for") }
        )
    }

    @Test("A daemon that has begun its response is awaited without a limit")
    func follows() async throws {
        let proofs = Probe(0)
        try await served(first: .seconds(60)) { request in
            if request.path == ResponseWatchdog.proof.path { proofs.count() }
            return ControlResponse(
                .stream {
                    try await Resumption<Void>().valueUnlessCancelled()
                    return nil
                }
            )
        } _: { connection in
            let response = try await connection.ask(Endpoint.events.request())
            #expect(response.status == 200 && proofs.value == 0 && said.value.isEmpty)
        }
    }
}
