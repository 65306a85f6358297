import ControlServer
import Household
import LinuxPlatform
import Session
import TestSupport
import Testing

@testable import Control

@Engine
@Suite("a daemon that lets its askers wait", .timeLimit(.minutes(5)))
struct AnswerVigilTests {
    private let folder = TemporaryFolder()
    private let said = Probe<[String]>([])
    private var path: String { folder.path(of: "control") }

    /// As people wait, but for their patience, which has to be long where a busy machine could use it up.
    private func vigil(first: Duration = .milliseconds(20), last: Duration = .seconds(60)) -> AnswerVigil {
        let said = said
        var vigil = AnswerVigil { said.record($0) }
        (vigil.first, vigil.word, vigil.pause) = (first, .milliseconds(20), .milliseconds(20))
        vigil.last = last
        return vigil
    }

    private func served(
        first: Duration = .milliseconds(20),
        _ handler: @escaping ControlServer.Handler,
        _ work: (ControlConnection) async throws -> Void
    ) async throws {
        try await ServedControl(path: path, vigil: vigil(first: first), handler: handler).during(work)
    }

    private func word(of question: ControlQuestion, at connection: ControlConnection) async -> String? {
        do {
            _ = try await connection.ask(question)
            return nil
        } catch {
            return PassedOnError(error).word
        }
    }

    @Test("is not waited for where it takes nothing, whatever is asked", arguments: ["GET", "POST"])
    func silent(method: String) async throws {
        let listening = try UnixSocket.listen(at: path)
        let connection = try #require(ControlConnection(to: path, vigil(last: .milliseconds(40))))
        #expect(await word(of: ControlQuestion(method, ["v1", "status"]), at: connection) == "control.silent")
        #expect(said.value.count == 1 && said.value[0].contains("has not answered for"))
        withExtendedLifetime(listening) {}
    }

    @Test("is waited for while it works, if it says that it is there")
    func busy() async throws {
        let proofs = Probe(0)
        try await served { request in
            if request.path == AnswerVigil.proof.path {
                proofs.count()
            } else {
                _ = try? await proofs.wait { $0 >= 3 }
            }
            return ControlResponse(.bytes([]))
        } _: { connection in
            let reply = try await connection.ask(ControlQuestion("POST", ["v1", "saves", "x", "versions"]))
            #expect(reply.status == 200 && proofs.value >= 3)
        }
    }

    @Test("is waited for, with a word now and then, where it is there and does not get to a question that only looks")
    func slow() async throws {
        let said = said
        try await served { request in
            if request.path != AnswerVigil.proof.path { _ = try? await said.wait { $0.count >= 2 } }
            return ControlResponse(.bytes([]))
        } _: { connection in
            #expect(await word(of: ControlQuestion("GET", ["v1", "status"]), at: connection) == nil)
        }
        #expect(
            said.value.count >= 2 && said.value.allSatisfy { $0.contains("is there, but has not answered this for") }
        )
    }

    @Test("has answered once it has begun to, however long nothing happens then")
    func follows() async throws {
        let proofs = Probe(0)
        try await served(first: .seconds(60)) { request in
            if request.path == AnswerVigil.proof.path { proofs.count() }
            return ControlResponse(
                .stream {
                    try await Resumption<Void>().valueUnlessCancelled()
                    return nil
                }
            )
        } _: { connection in
            let reply = try await connection.ask(ControlQuestion("GET", ["v1", "events"]))
            #expect(reply.status == 200 && proofs.value == 0 && said.value.isEmpty)
        }
    }
}
